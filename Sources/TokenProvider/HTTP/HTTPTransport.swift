public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// How requests to a token server are sent: through the library's own URL session, or a function of the app.
public struct HTTPTransport: Sendable {
    /// Sends a request and returns the response's body and head, as `URLSession.data(for:)` does.
    public typealias Send = @Sendable (URLRequest) async throws -> (Data, URLResponse)

    /// The app's function; nil for the library's session.
    let send: Send?

    private init(send: Send?) {
        self.send = send
    }

    /// Creates a transport from a function, such as that of a session that pins certificates or of another HTTP client.
    ///
    /// ```swift
    /// configuration.http.transport = HTTPTransport { try await pinnedSession.data(for: $0) }
    /// ```
    ///
    /// The function must limit the time of a request itself, must not follow redirections to other servers, which would
    /// receive the credentials, and must not cache responses. It must return an `HTTPURLResponse`, and throw a
    /// `URLError` if there is no network.
    public init(_ send: @escaping Send) {
        self.init(send: send)
    }

    /// The library's own session: no cookies, no cache, no redirections to other servers, and bounded responses.
    public static let standard = Self(send: nil)
}

extension HTTPAnswer {
    /// Creates a response from the result of the app's transport.
    init(_ body: Data, _ response: URLResponse, bodyLimit: Int) throws(TokenProviderError) {
        guard let response = response as? HTTPURLResponse else { throw .noAnswer }
        guard body.count <= bodyLimit else { throw .tooLarge }
        self.init(response)
        self.body = Array(body)
    }
}
