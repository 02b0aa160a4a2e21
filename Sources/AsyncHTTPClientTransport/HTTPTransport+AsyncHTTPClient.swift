#if canImport(AsyncHTTPClient)
public import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
public import TokenProvider

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension HTTPTransport {
    /// Returns a transport on AsyncHTTPClient, for a backend on Linux.
    ///
    /// Foundation's `URLSession` on Linux ends the process if a server closes the connection in the middle of a response's
    /// header fields (swift-corelibs-foundation, issue 5285). This transport reports it as
    /// ``TokenErrorCode/unavailable``, which the provider recovers from.
    ///
    /// ```
    /// var configuration = CachingTokenProvider.Configuration()
    /// configuration.http.transport = .asyncHTTPClient()
    /// ```
    ///
    /// The timeout and the size limit are those of the token source's configuration. Redirections are not followed, whatever
    /// the settings say: credentials are sent to the configured server only.
    ///
    /// - Parameter settings: The client's settings, such as its proxy and TLS configuration.
    /// - Returns: The transport, with a client of its own that shares the process's event loops.
    public static func asyncHTTPClient(_ settings: HTTPClient.Configuration = HTTPClient.Configuration()) -> Self {
        let client = OwnedClient(settings)
        return HTTPTransport(limited: { request, timeout, bodyLimit in
            do {
                return try await client.send(request, timeout: timeout, bodyLimit: bodyLimit)
            } catch {
                throw urlError(error)
            }
        })
    }

    /// Returns the error of `URLSession` for the same cause, which token sources and providers understand.
    private static func urlError(_ error: any Error) -> any Error {
        switch error {
        case is CancellationError, is URLError, is TokenProviderError: error
        case let error as HTTPClientError where timeouts.contains(error): URLError(.timedOut)
        case let error as HTTPClientError where error == .cancelled: CancellationError()
        case let error as HTTPClientError where error == .remoteConnectionClosed: URLError(.networkConnectionLost)
        case let error as ChannelError where error.isTimeout: URLError(.timedOut)
        case let error as NIOConnectionError where error.isDNSFailure: URLError(.cannotFindHost)
        case is NIOConnectionError: URLError(.cannotConnectToHost)
        case let error as IOError where error.errnoCode == ECONNREFUSED: URLError(.cannotConnectToHost)
        case is HTTPParserError: URLError(.cannotParseResponse)
        case let error as NIOSSLError where error.isUntrustedCertificate: URLError(.serverCertificateUntrusted)
        default: URLError(.networkConnectionLost)
        }
    }

    private static let timeouts: [HTTPClientError] = [
        .connectTimeout, .readTimeout, .writeTimeout, .deadlineExceeded, .tlsHandshakeTimeout,
        .getConnectionFromPoolTimeout,
    ]
}

/// A client that is shut down when the transport's last copy is released.
private final class OwnedClient: Sendable {
    private let client: HTTPClient

    init(_ settings: HTTPClient.Configuration) {
        var settings = settings
        settings.redirectConfiguration = .disallow
        // The provider pauses after a refused connection; the client would try again until the time is over.
        settings.connectionPool.retryConnectionEstablishment = false
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: settings)
    }

    deinit {
        // The client stays alive until it has closed its connections; its failure to do so concerns no request.
        client.shutdown { _ in }
    }

    func send(_ request: URLRequest, timeout: TimeInterval, bodyLimit: Int) async throws -> (Data, URLResponse) {
        guard let url = request.url else { throw URLError(.badURL) }
        var outgoing = HTTPClientRequest(url: url.absoluteString)
        outgoing.method = HTTPMethod(rawValue: request.httpMethod ?? "GET")
        for (name, value) in request.allHTTPHeaderFields ?? [:] { outgoing.headers.add(name: name, value: value) }
        if let body = request.httpBody { outgoing.body = .bytes(body) }
        // A day stands for no limit.
        let limit = TimeAmount.milliseconds(Int64(min(max(timeout, 0.001), 86_400) * 1000))
        let response = try await client.execute(outgoing, deadline: .now() + limit)
        let fields = Dictionary(response.headers.map { ($0.name, $0.value) }) { first, _ in first }
        let head = HTTPURLResponse(
            url: url,
            statusCode: Int(response.status.code),
            httpVersion: "HTTP/\(response.version.major).\(response.version.minor)",
            headerFields: fields
        )
        guard let head else { throw URLError(.badServerResponse) }
        do {
            return (Data(try await response.body.collect(upTo: bodyLimit).readableBytesView), head)
        } catch is NIOTooManyBytesError {
            throw URLError(.dataLengthExceedsMaximum)
        }
    }
}

extension ChannelError {
    fileprivate var isTimeout: Bool { if case .connectTimeout = self { true } else { false } }
}

extension NIOSSLError {
    // BoringSSL's errors are no public type; their description names the reason.
    fileprivate var isUntrustedCertificate: Bool { "\(self)".contains("CERTIFICATE_VERIFY_FAILED") }
}

extension NIOConnectionError {
    fileprivate var isDNSFailure: Bool { connectionErrors.isEmpty && (dnsAError != nil || dnsAAAAError != nil) }
}
#endif
