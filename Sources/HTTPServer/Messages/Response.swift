package import HTTPTypes
package import Telemetry

/// A response, complete before its first byte is sent.
///
/// It is small, because all functions that wait for it have room for one in the task's memory.
package struct Response: Sendable {
    private let code: UInt16
    /// Whether the body is JSON; another media type is among the fields.
    let isJSON: Bool
    /// Fields beside those of every response, and those that describe a JSON body.
    package var headers: HTTPFields
    package var body: [UInt8]
    /// The request's ID, once the response is finished: the response then has the fields of every response.
    package var requestID: RequestID?
    /// Whether only the head is sent, as if the body followed.
    package var omitsBody = false

    package var status: HTTPResponse.Status { .init(code: Int(code)) }

    /// Creates a response with a body of any media type, or without one.
    package init(
        status: HTTPResponse.Status,
        contentType: String? = nil,
        headers: HTTPFields = [:],
        body: [UInt8] = []
    ) {
        code = UInt16(status.code)
        isJSON = false
        self.headers = headers
        self.body = body
        if let contentType { self.headers[.contentType] = contentType }
    }

    /// Creates a response with a JSON body.
    package init(status: HTTPResponse.Status, json: [UInt8], headers: HTTPFields = [:]) {
        code = UInt16(status.code)
        isJSON = true
        self.headers = headers
        body = json
    }
}

/// Responds to the requests of a listener.
package protocol Responder: Sendable {
    /// Returns the responder for a request: this one, unless it only passes the request on.
    ///
    /// So no function that only passes the request on is part of the task's memory.
    func responder(for request: Request) -> any Responder

    func respond(to request: Request) async -> Response
}

extension Responder {
    package func responder(for request: Request) -> any Responder { self }
}
