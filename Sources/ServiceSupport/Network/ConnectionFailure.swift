import AsyncHTTPClient
import FleetToken
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import SystemPackage

/// Names for connection failures, in the words that operators search for.
package enum ConnectionFailure {
    /// Returns a description, without anything that the other end sent.
    package static func text(of error: any Error) -> String {
        switch error {
        case let error as OutgoingError: error.description
        case let error as HTTPClientError: text(of: error)
        // Why none of a host's addresses took the connection, by the first of them.
        case let error as NIOConnectionError:
            error.connectionErrors.first.map { text(of: $0.error) } ?? "host \(error.host) not found"
        case let error as IOError: Errno(rawValue: error.errnoCode).description
        case ChannelError.connectTimeout: "connection timed out"
        case NIOSSLError.uncleanShutdown: "connection closed before the response was complete"
        case is BoringSSLError, is NIOSSLError, is NIOSSLExtraError: tlsText(of: error)
        case is HTTPParserError: "the response is not HTTP"
        case is CancellationError: "cancelled"
        // The text of a foreign error may contain its input.
        default: "\(type(of: error))"
        }
    }

    /// Returns whether the other end closed the connection, in whichever way.
    static func isClosed(_ error: any Error) -> Bool {
        switch error {
        case let error as HTTPClientError: error == .remoteConnectionClosed
        case NIOSSLError.uncleanShutdown, ChannelError.ioOnClosedChannel: true
        case let error as IOError: [Errno.connectionReset, .brokenPipe].contains(Errno(rawValue: error.errnoCode))
        default: false
        }
    }

    private static func text(of error: HTTPClientError) -> String {
        switch error {
        case .connectTimeout: "connection timed out"
        case .tlsHandshakeTimeout: "TLS handshake timed out"
        case .remoteConnectionClosed: "connection closed before the response was complete"
        case .cancelled: "cancelled"
        default: error.shortDescription
        }
    }

    /// Returns a short text for a TLS error.
    ///
    /// The full texts are long and contain paths of the build machine; the reason in capitals is what matters.
    private static func tlsText(of error: any Error) -> String {
        if let error = error as? NIOSSLExtraError, error == .failedToValidateHostname {
            return "certificate not trusted: host name mismatch"
        }
        let words = "\(error)".utf8.split { byte in
            !(byte.isASCIICapital || byte.isASCIIDigit || byte == UInt8(ascii: "_"))
        }
        let reason = words.last { $0.dropLast().contains(UInt8(ascii: "_")) && $0.last != UInt8(ascii: "_") }.map {
            String(decoding: $0, as: UTF8.self)
        }
        switch reason {
        case "CERTIFICATE_VERIFY_FAILED"?:
            return "certificate not trusted: it has expired, or its authority is unknown"
        case let reason?: return "TLS handshake failed (\(reason))"
        case nil: return "TLS handshake failed"
        }
    }
}
