import Foundation

extension TokenProviderError {
    /// Creates the error for the status of a response.
    ///
    /// Only a client error, or a redirection with a target, needs action. Any other status is a transient server error,
    /// including a number that HTTP doesn't define (RFC 9110 section 15).
    init(_ response: ServerResponse, retryAfter: TimeInterval?) {
        let (code, message) = Self.meaning(of: response)
        let details = ErrorResponse(response)
        self.init(code, details.message ?? message, retryAfter: retryAfter, httpStatus: response.status)
        (serverReason, requestID) = (details.reason, details.requestID)
        // A delay is kept only for errors that waiting can resolve.
        if remedy != .wait { self.retryAfter = nil }
    }

    private static func meaning(of response: ServerResponse) -> (Code, String) {
        let status = response.status
        return switch status {
        case 300...399 where response.location != nil:
            (.invalidConfiguration, "The token server redirects. Use its final URL.")
        case 401: (.unauthenticated, "Authentication failed. Sign in again, or renew the credentials.")
        case 403:
            (
                .permissionDenied,
                "Permission denied for this token. Check that the ID belongs to the caller, and the server's grants."
            )
        case 404, 410:
            (.invalidArgument, "Not found on the token server. Check its URL, its path, and that the resource exists.")
        case 408, 504: (.unavailable, "The token server did not respond in time.")
        case 429: (.resourceExhausted, "Too many requests from this caller.")
        case 407: (.invalidArgument, "A proxy requires authentication. Set its credentials in sessionConfiguration.")
        case 400...499 where status != 425:
            (
                .invalidArgument,
                "The token server refused the request with HTTP status \(status). Check the ID and the path."
            )
        default: (.unavailable, "The token server is unavailable or overloaded.")
        }
    }
}
