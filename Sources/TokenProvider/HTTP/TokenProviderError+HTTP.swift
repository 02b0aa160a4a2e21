#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension TokenProviderError {
    /// Creates the error for the status of a response, as in Google's guides; nil for success.
    ///
    /// Only an explicit refusal needs action: a client error, or a redirection with a target. Any other status is a
    /// transient server error, including a number that HTTP doesn't define (RFC 9110 section 15).
    init?(_ answer: HTTPAnswer, retryAfter: TimeInterval?) {
        guard let (code, message) = Self.meaning(of: answer) else { return nil }
        let refusal = ServerRefusal(answer.body)
        // A delay is kept only for errors that waiting can resolve.
        self.init(
            code,
            refusal.message ?? message,
            retryAfter: code.recovery == .retry ? retryAfter : nil,
            httpStatus: answer.status,
            serverReason: refusal.reason,
            requestID: refusal.requestID ?? answer.requestID
        )
    }

    private static func meaning(of answer: HTTPAnswer) -> (Code, String)? {
        switch answer.status {
        case 200...299: nil
        case 300...399 where answer.location != nil:
            (
                .redirected,
                "The token server redirects to another server; give its final URL. No credentials were sent there."
            )
        case 300...399: (.unavailable, "The token server redirects without saying where to: correct the server.")
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
        case 429: (.resourceExhausted, "The token server gets too many requests from this caller.")
        case 407:
            (
                .invalidArgument,
                "A proxy before the token server requires authentication: set its credentials in the HTTPTransport."
            )
        case 409:
            (
                .invalidArgument,
                "The token server reports a conflict: check the resource's state there, and its log for this request."
            )
        case 400, 422:
            (
                .invalidArgument,
                "The token server refuses the request with HTTP status \(answer.status): check the ID and the path."
            )
        case 400...499 where answer.status != 425:
            (
                .invalidArgument,
                "The token server refuses the request with HTTP status \(answer.status): check its URL, path and version."
            )
        default: (.unavailable, "The token server has a fault or is overloaded.")
        }
    }
}
