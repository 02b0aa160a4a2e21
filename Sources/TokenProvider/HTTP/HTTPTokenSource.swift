public import FleetToken
public import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Fetches tokens from a token server over HTTPS with `URLSession`.
///
/// It asks `GET <server>/token/<kind>/<id>` and reads the answer that a ``TokenResponseFormat`` describes. The ID is
/// percent-encoded, redirections to another server are refused, the body is bounded, and a token that opens anything
/// but the scope asked for is an error.
public final class HTTPTokenSource: TokenSource {
    /// The header fields that say who asks, such as `["Authorization": "Bearer …"]`.
    ///
    /// It is called once for each fetch, so it may renew what it returns. It may throw a ``TokenProviderError``; any
    /// other error counts as one that may pass.
    public typealias Credentials = @Sendable () async throws -> [String: String]

    private let endpoint: Result<TokenEndpoint, TokenProviderError>
    private let credentials: Credentials
    private let configuration: Configuration
    let transport: HTTPTransport
    private let now: @Sendable () -> TimeInterval

    /// A source that asks a server.
    ///
    /// - Parameters:
    ///   - server: The server's `https` URL, with the path under which its token routes are, if they are not at the
    ///     root. One that is not usable is an error of each fetch.
    ///   - configuration: What differs from this project's `tokend`.
    ///   - credentials: Who asks. A server in development mode asks for none.
    public convenience init(
        server: URL,
        configuration: Configuration = Configuration(),
        credentials: @escaping Credentials = { [:] }
    ) {
        self.init(server: server, configuration: configuration, credentials: credentials) {
            Date().timeIntervalSince1970
        }
    }

    init(
        server: URL,
        configuration: Configuration,
        credentials: @escaping Credentials,
        now: @escaping @Sendable () -> TimeInterval
    ) {
        endpoint = Result { () throws(TokenProviderError) in
            try TokenEndpoint(server: server, allowsInsecureHTTP: configuration.allowsInsecureHTTP)
        }
        self.configuration = configuration
        self.credentials = credentials
        self.now = now
        transport = HTTPTransport(timeout: configuration.timeout, bodyLimit: configuration.maximumBodyBytes)
    }

    /// Asks the server for a token.
    ///
    /// - Throws: ``TokenProviderError``, or `CancellationError` when the task is cancelled.
    public func fetchToken(for scope: TokenScope) async throws -> FetchedToken {
        let endpoint = try endpoint.get()
        do {
            let request = try endpoint.request(
                for: scope,
                segments: configuration.path(scope),
                fields: try await credentials()
            )
            let answer = try await transport.send(request)
            return try TokenAnswerReader(format: configuration.format, scope: scope, now: now()).read(answer)
        } catch {
            try Task.checkCancellation()
            throw TokenProviderError(source: error)
        }
    }
}
