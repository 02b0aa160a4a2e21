public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// How requests to a token server are sent: the library's own URL session, or a function of the app's.
public struct HTTPTransport: Sendable {
    /// Sends a request and returns the answer's body and head, as `URLSession.data(for:)` does.
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
    /// The function bounds the time of a request itself, must not follow redirections to other servers, since it would take
    /// the credentials there, and must remember no answer. An `HTTPURLResponse` is what it returns, a `URLError` what it
    /// throws when there is no network.
    public init(_ send: @escaping Send) {
        self.init(send: send)
    }

    /// The library's own session: no cookies, no cache, no redirections to other servers, and bounded answers.
    public static let standard = Self(send: nil)
}

extension HTTPAnswer {
    /// Creates the answer that an app's transport returned.
    init(_ body: Data, _ response: URLResponse, bodyLimit: Int) throws(TokenProviderError) {
        guard let response = response as? HTTPURLResponse else { throw .noAnswer }
        guard body.count <= bodyLimit else { throw .tooLarge }
        self.init(response)
        self.body = Array(body)
    }
}
