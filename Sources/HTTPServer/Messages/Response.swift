package import HTTPTypes

/// A response, complete before its first byte is sent.
package struct Response: Sendable {
    package let status: HTTPResponse.Status
    /// The media type of the body, if any.
    package let contentType: String?
    /// Fields beside those of every response.
    package var headers: HTTPFields
    package let body: [UInt8]
    /// The request's ID, once the response is finished: the response then has the fields of every response.
    package var requestID: String?
    /// Whether only the head is sent, as if the body followed.
    package var omitsBody = false

    /// Creates a response with a body, or without one.
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
    func respond(to request: Request) async -> Response
}
