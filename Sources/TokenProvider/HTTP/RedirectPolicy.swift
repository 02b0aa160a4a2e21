import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Which redirections are followed: those that stay on the server.
///
/// FoundationNetworking carries the `Authorization` field on to whatever host a redirection names, and Apple's drops it
/// even where it belongs. So the request stays the caller's own, and only its path changes.
enum RedirectPolicy {
    /// The request to send next; nil when the redirection must not be followed.
    static func request(redirecting original: URLRequest, to proposed: URLRequest) -> URLRequest? {
        guard let from = original.url, let to = proposed.url, origin(of: from) == origin(of: to),
            // 301, 302 and 303 make a GET of a POST: what is asked for would be something else.
            original.httpMethod == proposed.httpMethod
        else { return nil }
        var request = original
        request.url = to
        return request
    }

    /// Scheme, host and port (RFC 6454 section 4).
    private static func origin(of url: URL) -> [String] {
        let scheme = url.scheme?.lowercased() ?? ""
        let port = url.port ?? (scheme == "https" ? 443 : 80)
        return [scheme, url.host?.lowercased() ?? "", String(port), url.user ?? "", url.password ?? ""]
    }
}
