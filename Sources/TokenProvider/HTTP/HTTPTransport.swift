public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// How requests to a token server are sent: through the library's own URL session, or a function of the app.
public struct HTTPTransport: Sendable {
    typealias ServerTrust = @Sendable (URLAuthenticationChallenge) -> Bool

    /// Sends a request with a time limit in seconds and a size limit in bytes, and doesn't follow redirections.
    package typealias LimitedSend =
        @Sendable (URLRequest, _ timeout: TimeInterval, _ bodyLimit: Int) async throws -> (Data, URLResponse)

    enum Kind: Sendable {
        case session(URLSessionConfiguration?, ServerTrust?)
        case function(LimitedSend)
    }

    let kind: Kind

    /// Returns a transport on the library's own session, with an app's settings for proxies, cellular networks and
    /// timeouts, and with certificate pinning, if it has any.
    ///
    /// ```swift
    /// configuration.http.transport = .session(sessionConfiguration) { challenge in
    ///     pins.allow(challenge)
    /// }
    /// ```
    ///
    /// With any settings, redirections to other servers are refused, responses are bounded, and nothing is stored: the
    /// settings' cookie storage, cache and credential storage are not used.
    ///
    /// - Parameters:
    ///   - settings: The settings, which are copied; nil for the library's own. A timeout that is longer than the source's
    ///     own has no effect. A background configuration is not supported, and each request fails with it.
    ///   - serverTrust: Decides whether to trust a server, for certificate pinning; it is called on a system queue. The
    ///     challenge's protection space has the certificate chain (`serverTrust`) and the host. Its consent doesn't replace
    ///     the system's own evaluation; its refusal is ``TokenErrorCode/insecureConnection``.
    /// - Returns: The transport.
    public static func session(
        _ settings: URLSessionConfiguration? = nil,
        serverTrust: (@Sendable (URLAuthenticationChallenge) -> Bool)? = nil
    ) -> Self {
        Self(kind: .session(settings?.copy() as? URLSessionConfiguration, serverTrust))
    }

    private init(kind: Kind) {
        self.kind = kind
    }

    /// Creates a transport from a function, such as that of another HTTP client, which returns the response's body and head
    /// as `URLSession.data(for:)` does.
    ///
    /// For proxies, timeouts and certificate pinning with `URLSession`, use ``session(_:serverTrust:)`` instead: most of
    /// what follows is then guaranteed. The function must limit the time of a request itself, must not follow
    /// redirections to other servers, which would receive the credentials, and must not cache responses. It must return
    /// an `HTTPURLResponse`, and throw a `URLError` if there is no network. A response whose URL is another server's is
    /// refused with ``TokenErrorCode/redirected``, but by then that server has the credentials.
    ///
    /// On Linux, don't use `URLSession.data(for:)`: up to Swift 6.3.1, cancelling it while its response arrives can deadlock.
    public init(_ send: @escaping @Sendable (URLRequest) async throws -> (Data, URLResponse)) {
        self.init(limited: { request, _, _ in try await send(request) })
    }

    package init(limited send: @escaping LimitedSend) {
        kind = .function(send)
    }
}

/// Determines which redirections are followed: only those within the same origin.
///
/// FoundationNetworking sends the `Authorization` field to any host that a redirection names, and Apple's Foundation
/// drops it even within the same origin. So the original request is used, and only its path changes.
enum RedirectPolicy {
    /// Returns the request to send next; nil if the redirection must not be followed.
    static func request(redirecting original: URLRequest, to proposed: URLRequest) -> URLRequest? {
        guard let to = proposed.url, isSameOrigin(original.url, to),
            // 301, 302 and 303 change a POST to a GET, which would request something else.
            original.httpMethod == proposed.httpMethod
        else { return nil }
        var request = original
        request.url = to
        return request
    }

    /// Returns whether both URLs exist and have the same origin.
    static func isSameOrigin(_ one: URL?, _ other: URL?) -> Bool {
        guard let one, let other else { return false }
        return origin(of: one) == origin(of: other)
    }

    /// Returns the scheme, host and port (RFC 6454 section 4).
    private static func origin(of url: URL) -> [String] {
        let scheme = url.scheme?.lowercased() ?? ""
        let port = url.port ?? (scheme == "https" ? 443 : 80)
        return [scheme, url.host?.lowercased() ?? "", String(port), url.user ?? "", url.password ?? ""]
    }
}
