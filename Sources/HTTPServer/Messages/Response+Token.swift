import FleetToken
package import HTTPTypes
import NIOCore

extension Response {
    /// Creates a response with a JSON body.
    package init(status: HTTPResponse.Status, json: [UInt8], headers: HTTPFields = [:]) {
        var headers = headers
        headers[.contentType] = "application/json"
        self.init(status: status, headers: headers, body: ByteBuffer(bytes: json))
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
    }

    /// Adds the fields that every answer carries.
    package mutating func addFieldsOfEveryAnswer(_ requestID: RequestID) {
        headers.append(contentsOf: HTTPFields.everyAnswer)
        headers[.date] = HTTPDate.now()
        headers[.requestID] = requestID.description
        // RFC 9110 section 8.6: there is none in an answer that has no content by its status.
        if status != .noContent { headers[.contentLength] = String(body.readableBytes) }
    }
}

extension HTTPFields {
    /// A response is for one caller and one time.
    fileprivate static let everyAnswer: HTTPFields = [
        .cacheControl: "no-store",
        .pragma: "no-cache",
        .xContentTypeOptions: "nosniff",
    ]
}

extension HTTPField.Name {
    // swift-format-ignore: NeverForceUnwrap
    static let pragma = Self("Pragma")!
}
