import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Determines which redirections are followed: only those within the same origin.
///
/// FoundationNetworking sends the `Authorization` field to any host that a redirection names, and Apple's Foundation drops
/// it even within the same origin. So the original request is used, and only its path changes.
enum RedirectPolicy {
    /// Returns the request to send next; nil if the redirection must not be followed.
    static func request(redirecting original: URLRequest, to proposed: URLRequest) -> URLRequest? {
        guard let from = original.url, let to = proposed.url, origin(of: from) == origin(of: to),
            // 301, 302 and 303 change a POST to a GET, which would request something else.
            original.httpMethod == proposed.httpMethod
        else { return nil }
        var request = original
        request.url = to
        return request
    }

    /// Returns the scheme, host and port (RFC 6454 section 4).
    private static func origin(of url: URL) -> [String] {
        let scheme = url.scheme?.lowercased() ?? ""
        let port = url.port ?? (scheme == "https" ? 443 : 80)
        return [scheme, url.host?.lowercased() ?? "", String(port), url.user ?? "", url.password ?? ""]
    }
}
