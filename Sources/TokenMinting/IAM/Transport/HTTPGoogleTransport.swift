public import AsyncHTTPClient
import FleetToken
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import SystemPackage

/// Sends requests with AsyncHTTPClient.
public struct HTTPGoogleTransport: GoogleTransport {
    private let client: HTTPClient

    /// A transport.
    ///
    /// - Parameter client: A client that was made with ``AsyncHTTPClient/HTTPClient/Configuration/google``; its owner shuts
    ///   it down.
    public init(client: HTTPClient) {
        self.client = client
    }

    /// Sends a request.
    public func send(_ request: GoogleRequest) async throws(GoogleTransportError) -> GoogleAnswer {
        do {
            return try await exchange(request)
        } catch {
            throw Self.failure(error)
        }
    }

    private func exchange(_ request: GoogleRequest) async throws -> GoogleAnswer {
        var outgoing = HTTPClientRequest(url: request.url)
        outgoing.method = HTTPMethod(rawValue: request.method.rawValue)
        outgoing.headers = HTTPHeaders(request.headers)
        if let bearer = request.bearer {
            outgoing.headers.add(name: "Authorization", value: "Bearer \(bearer.revealText())")
        }
        if let body = request.body { outgoing.body = .bytes(ByteBuffer(bytes: body.reveal())) }
        let response = try await client.execute(outgoing, deadline: .distantFuture)
        let body = try await response.body.collect(upTo: request.maximumAnswerSize)
        return GoogleAnswer(
            status: Int(response.status.code),
            headers: response.headers.reduce(into: [:]) { $0[$1.name.lowercased()] = $1.value },
            body: Secret(body.readableBytesView)
        )
    }

    private static func failure(_ error: any Error) -> GoogleTransportError {
        switch error {
        case is NIOTooManyBytesError: .tooLarge
        case let error as HTTPClientError: .failed(error.shortDescription)
        case let error as NIOConnectionError: .failed("no connection to \(error.host):\(error.port)")
        case let error as IOError: .failed(Errno(rawValue: error.errnoCode).description)
        case is NIOSSLError, is NIOSSLExtraError, is HTTPParserError: .failed("\(error)")
        // The text of a stranger's error may hold what it was given.
        default: .failed("\(type(of: error))")
        }
    }
}

extension HTTPClient.Configuration {
    /// The settings that Google's endpoints need.
    ///
    /// No redirects, since they would take an access token elsewhere; no decompression, so that what is read is what is
    /// counted; TLS 1.2 or later. A connection that fails, or isn't there after three seconds, is not tried again: that is
    /// up to the caller.
    public static var google: Self {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        var configuration = Self(tlsConfiguration: tls, redirectConfiguration: .disallow, decompression: .disabled)
        configuration.timeout.connect = .seconds(3)
        configuration.connectionPool.retryConnectionEstablishment = false
        return configuration
    }
}
