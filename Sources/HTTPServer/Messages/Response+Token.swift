import FleetToken
import HTTPTypes

extension Response {
    /// Creates the response for a refusal.
    package init(_ refusal: Refusal, requestID: RequestID) {
        var headers = refusal.headers
        if let seconds = refusal.error.retryAfter { headers[.retryAfter] = String(seconds) }
        if let challenge = refusal.error.reason.challenge { headers[.wwwAuthenticate] = challenge }
        self.init(
            status: .init(code: refusal.error.reason.code),
            json: refusal.error.encoded(requestID: requestID.description),
            headers: headers
        )
        isBecauseOfOverload = refusal.error.reason == .overloaded
    }
}
