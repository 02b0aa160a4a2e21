import FleetToken
import HTTPTypes
import NIOCore

extension Response {
    /// An answer with a JSON body.
    init(status: HTTPResponse.Status, json: [UInt8], headers: HTTPFields = [:]) {
        var headers = headers
        headers[.contentType] = "application/json"
        self.init(status: status, headers: headers, body: ByteBuffer(bytes: json))
    }

    /// The answer for a refusal.
    init(_ refusal: Refusal, requestID: RequestID) {
        var headers = refusal.headers
        if let seconds = refusal.error.retryAfter { headers[.retryAfter] = String(seconds) }
        if let challenge = refusal.error.reason.challenge { headers[.wwwAuthenticate] = challenge }
        self.init(
            status: .init(code: refusal.error.reason.code),
            json: refusal.error.encoded(requestID: requestID.description),
            headers: headers
        )
    }
}

extension HTTPFields {
    /// The fields that every answer carries: a token, or word of why there is none, is for one caller and one time.
    static let everyAnswer: HTTPFields = [
        .cacheControl: "no-store",
        .pragma: "no-cache",
        .xContentTypeOptions: "nosniff",
    ]
}

extension HTTPField.Name {
    // swift-format-ignore: NeverForceUnwrap
    static let pragma = Self("Pragma")!
}
