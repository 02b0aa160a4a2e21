public import FleetToken
public import Foundation
import StrictCoding

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Fetches tokens from a token server over HTTPS with `URLSession`.
///
/// It sends `GET <server>/token/<kind>/<id>` and reads the response that a ``TokenResponseFormat`` describes. The ID is
/// percent-encoded, redirections to another server are refused, the body is bounded, and a token with any scope but the
/// requested one is an error. After a 401 it requests new credentials and tries once more. A token that Fleet Engine
/// rejected is requested with `Fleet-Token-Reuse: no`, so that the server doesn't return it again.
public final class HTTPTokenSource: TokenSource {
    /// Returns the header fields that authenticate the caller, such as `["Authorization": "Bearer …"]`.
    ///
    /// It is called once for each fetch, and once more if the server rejects the credentials: then
    /// ``TokenFetchContext/requiresNewCredentials`` is true. It throws a ``TokenProviderError`` with code
    /// ``TokenErrorCode/unauthenticated`` if no user is signed in, after which no pause follows;
    /// any error but a ``TokenProviderError`` is treated as transient.
    public typealias Credentials = @Sendable (TokenFetchContext) async throws -> [String: String]

    private let server: Result<ServerURL, TokenProviderError>
    private let credentials: Credentials
    private let configuration: Configuration
    private let sender: HTTPSender
    /// The source's own session; nil if the app provides a transport.
    var session: SessionTransport? { sender.session }

    /// Creates a source that requests tokens from a server.
    ///
    /// - Parameters:
    ///   - server: The server's `https` URL, including the base path of its token routes, if they are not at the root.
    ///     With an invalid URL, each fetch fails.
    ///   - configuration: The settings; the defaults match this project's `tokend`.
    ///   - credentials: Returns the header fields that authenticate the caller; none for a server in development mode.
    public init(
        server: URL,
        configuration: Configuration = Configuration(),
        credentials: @escaping Credentials = { _ in [:] }
    ) {
        self.server = Result { () throws(ServerURL.Problem) in
            try ServerURL(server, allowsInsecureHTTP: configuration.allowsInsecureHTTP)
        }.mapError { TokenProviderError(.invalidConfiguration, "The token server's URL is invalid. \($0.rule)") }
        self.configuration = configuration
        self.credentials = credentials
        sender = HTTPSender(
            configuration.transport,
            timeout: configuration.timeout,
            // A token with the largest batch of tasks has about 8,000 bytes.
            bodyLimit: 65_536
        )
    }

    /// Requests a token from the server.
    ///
    /// - Throws: ``TokenProviderError``, or `CancellationError` when the task is cancelled.
    public func fetchToken(for context: TokenFetchContext) async throws -> FetchedToken {
        let server = try server.get()
        do {
            let answer = try await answer(of: server, context)
            let now = Date().timeIntervalSince1970
            return try TokenResponseReader(format: configuration.format, scope: context.scope, now: now).read(answer)
        } catch {
            try Task.checkCancellation()
            throw TokenProviderError(source: error)
        }
    }

    /// Returns the server's response; if it rejects the credentials, retries once with new ones.
    private func answer(of server: ServerURL, _ context: TokenFetchContext) async throws -> TransferResponse {
        let fields = try await credentials(context)
        let answer = try await sender.send(request(to: server, for: context, fields: fields))
        guard answer.status == 401 else { return answer }
        let renewed = try await renewedCredentials(context)
        return renewed == fields ? answer : try await sender.send(request(to: server, for: context, fields: renewed))
    }

    /// Returns new credentials after the server rejected those of this fetch.
    private func renewedCredentials(_ context: TokenFetchContext) async throws -> [String: String] {
        do {
            return try await credentials(TokenFetchContext(scope: context.scope, reason: .credentialsRejected))
        } catch let error as TokenProviderError where error.code == .unauthenticated {
            // The server's rejection is the cause: without its status, nothing would limit further requests.
            throw TokenProviderError(.unauthenticated, error.message, httpStatus: error.httpStatus ?? 401)
        }
    }

    /// Creates a request with the header fields that authenticate the caller.
    ///
    /// - Throws: ``TokenProviderError`` with code ``TokenErrorCode/invalidConfiguration``.
    func request(
        to server: ServerURL,
        for context: TokenFetchContext,
        fields: [String: String]
    ) throws(TokenProviderError) -> URLRequest {
        var query: [(name: String, value: String)] = []
        if case .oneWithTask(_, let task) = context.scope.resources { query = [("taskId", task.rawValue)] }
        guard let url = server.url(segments: configuration.path(context.scope), query: query) else {
            throw TokenProviderError(.invalidConfiguration, "A path segment is empty, `.` or `..`. Correct the path.")
        }
        var request = URLRequest(url: url)
        for (name, value) in fields {
            guard HeaderField.isValid(name: name, value: value) else {
                throw TokenProviderError(
                    .invalidConfiguration,
                    "The credentials have a header field with a character that HTTP does not allow, such as a line break."
                )
            }
            request.setValue(value, forHTTPHeaderField: name)
        }
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        if context.requiresNewToken { request.setValue("no", forHTTPHeaderField: "Fleet-Token-Reuse") }
        if case .batch(let tasks) = context.scope.resources {
            var body = JSONWriter()
            body.object { $0.member("taskIds", JSONValue.array(tasks.map { .string($0.rawValue) })) }
            request.httpMethod = "POST"
            request.httpBody = Data(body.bytes)
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        return request
    }
}

extension HTTPTokenSource {
    /// Settings for requests to a token server; the defaults match this project's `tokend`.
    public struct Configuration: Sendable {
        /// The format of the response; `tokend`'s by default.
        public var format = TokenResponseFormat.fleetToken

        /// Returns the path below the server's URL for a scope, as segments that are not yet encoded.
        ///
        /// The default is `token/<kind>`, followed by the ID for a kind that has one: the routes of `tokend` and all of
        /// Google's samples. A trusted driver's task is sent in the query as `taskId`, a batch's tasks in a JSON body.
        public var path: @Sendable (TokenScope) -> [String] = Self.standardPath

        /// The maximum time for a response, in seconds, from the request to the last byte: 10.
        ///
        /// The SDKs' own requests wait for it.
        public var timeout: TimeInterval = 10

        /// Whether `http` is allowed to hosts other than this device: false.
        ///
        /// Use it during development, for a phone that connects to a computer on the same network. It also requires an
        /// exception in the app's `NSAppTransportSecurity`.
        public var allowsInsecureHTTP = false

        /// How requests are sent: through a URL session of the source by default.
        public var transport = HTTPTransport.session()

        /// Creates the configuration for this project's `tokend`.
        public init() {}

        static func standardPath(for scope: TokenScope) -> [String] {
            let segments = ["token", scope.kind.rawValue]
            return scope.kind.isPrivileged ? segments : segments + scope.ids.prefix(1).map(\.rawValue)
        }
    }
}
