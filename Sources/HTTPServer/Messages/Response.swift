package import HTTPTypes

/// A response, complete before its first byte is sent.
package struct Response: Sendable {
    package var status: HTTPResponse.Status
    /// The media type of the body; nil if there is none.
    var contentType: String?
    /// Fields beside those of every response, and those that describe the body.
    package var headers: HTTPFields
    package var body: [UInt8]
    /// The request's ID, once the response is finished: the response then has the fields of every response.
    package var requestID: RequestID?
    /// Whether only the head is sent, as if the body followed.
    package var omitsBody = false
    /// Whether the request was refused because the service has too much to do: other threads then get the core.
    package var isBecauseOfOverload = false

    /// Creates a response.
    package init(
        status: HTTPResponse.Status,
        contentType: String? = nil,
        headers: HTTPFields = [:],
        body: [UInt8] = []
    ) {
        self.status = status
        self.contentType = contentType
        self.headers = headers
        self.body = body
    }
}

/// Responds to the requests of a listener.
package protocol Responder: Sendable {
    /// Returns the response; there always is one.
    func respond(to request: Request) async -> Response
}
