import FleetToken
import Foundation
import StrictCoding

extension TokenProviderError {
    /// Creates the error for the status of a response, as in Google's guides.
    ///
    /// Only an explicit refusal needs action: a client error, or a redirection with a target. Any other status is a
    /// transient server error, including a number that HTTP doesn't define (RFC 9110 section 15).
    init(refusal answer: TransferResponse, retryAfter: TimeInterval?) {
        let (code, message) = Self.meaning(of: answer)
        let refusal = ServerRefusal(answer.body)
        // A delay is kept only for errors that waiting can resolve.
        self.init(
            code,
            refusal.message ?? message,
            retryAfter: code.needsAction ? nil : retryAfter,
            httpStatus: answer.status,
            serverReason: refusal.reason,
            requestID: refusal.requestID ?? answer.requestID
        )
    }

    private static func meaning(of answer: TransferResponse) -> (TokenErrorCode, String) {
        switch answer.status {
        case 300...399 where answer.location != nil:
            (
                .redirected,
                "The token server redirects to another server, which got no credentials. Use the final URL."
            )
        case 300...399: (.unavailable, "The token server sent a redirect without a location. Correct the server.")
        case 401:
            (.unauthenticated, "Authentication failed. Sign in again, or renew the credentials.")
        case 403:
            (
                .permissionDenied,
                "Permission denied for this token. Check that the ID belongs to the caller, and the server's grants."
            )
        case 404, 410:
            (.notFound, "Not found on the token server. Check its URL, its path, and that the resource exists.")
        case 408, 504: (.deadlineExceeded, "The token server did not respond in time.")
        case 429: (.resourceExhausted, "Too many requests from this caller.")
        case 407:
            (
                .invalidArgument,
                "A proxy in front of the token server requires authentication. Set its credentials in the HTTPTransport."
            )
        case 409:
            (
                .invalidArgument,
                "The token server reports a conflict. Check the resource's state there, and its log for this request."
            )
        case 400, 422:
            (
                .invalidArgument,
                "The token server refused the request with HTTP status \(answer.status). Check the ID and the path."
            )
        case 400...499 where answer.status != 425:
            (
                .invalidArgument,
                "The token server refused the request with HTTP status \(answer.status). Check its URL, path and version."
            )
        default: (.unavailable, "The token server is unavailable or overloaded.")
        }
    }
}

/// The contents of an error response: Google's error model (AIP-193), as `tokend` writes it.
struct ServerRefusal {
    /// `details[].reason`.
    var reason: String?
    /// `details[].metadata.requestId`.
    var requestID: String?
    /// `message`, if `tokend` wrote it, which repeats no input.
    ///
    /// The message of another server could contain an ID or a secret.
    var message: String?

    /// The maximum length of a message, in bytes.
    static let maximumMessage = 500

    /// Creates a refusal from a body; a body in another format gives no information.
    init(_ body: [UInt8]) {
        guard let error = (try? JSONParser.parse(body))?.objectValue?["error"]?.objectValue else { return }
        let details = error["details"]?.arrayValue?.compactMap(\.objectValue) ?? []
        guard let info = details.first(where: { $0["reason"]?.stringValue != nil }) else { return }
        reason = info["reason"]?.stringValue
        requestID = info["metadata"]?.objectValue?["requestId"]?.stringValue
        guard info["domain"]?.stringValue == TokenError.domain, let text = error["message"]?.stringValue,
            (1...Self.maximumMessage).contains(text.utf8.count), text.utf8.allSatisfy(\.isASCIIPrintable)
        else { return }
        message = text
    }
}
