#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension TokenProviderError {
    /// The error that a status code stands for, as Google's guides list them; nil for success.
    init?(httpStatus status: Int, retryAfter: TimeInterval?) {
        let (code, message) = Self.meaning(ofHTTPStatus: status) ?? (nil, "")
        guard let code else { return nil }
        // A wait makes sense only where waiting helps.
        self.init(code, message, retryAfter: code.recovery == .retry ? retryAfter : nil, httpStatus: status)
    }

    private static func meaning(ofHTTPStatus status: Int) -> (Code, String)? {
        switch status {
        case 200...299: nil
        case 300...399:
            (
                .redirected,
                "The token server redirects to another server; give its final URL. No credentials were sent there."
            )
        case 401:
            (.unauthenticated, "The token server doesn't accept the credentials: sign in again, or renew them.")
        case 403:
            (
                .permissionDenied,
                "The caller may not have this token: check that the ID is its own, and the server's grants."
            )
        case 404, 410:
            (.notFound, "The token server has nothing there: check its URL, its path, and that the resource exists.")
        case 408, 504: (.deadlineExceeded, "The token server took too long.")
        case 425, 500, 502, 503, 507, 508: (.unavailable, "The token server has a fault or is overloaded.")
        case 429: (.resourceExhausted, "The token server gets too many requests from this caller.")
        default:
            (
                .invalidArgument,
                "The token server refuses the request: check the ID, the path, and the server's version."
            )
        }
    }
}
