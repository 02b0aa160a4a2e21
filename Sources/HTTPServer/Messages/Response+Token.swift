import FleetToken
package import HTTPTypes

extension Response {
    /// Creates a response with a JSON body.
    package init(status: HTTPResponse.Status, json: [UInt8], headers: HTTPFields = [:]) {
        self.init(status: status, contentType: "application/json", headers: headers, body: json)
    }

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
