package import HTTPTypes
package import NIOCore

/// A response, complete before its first byte is sent.
package struct Response: Sendable {
    package var status: HTTPResponse.Status
    package var headers: HTTPFields = [:]
    package var body = ByteBuffer()

    /// Creates a response.
    package init(status: HTTPResponse.Status, headers: HTTPFields = [:], body: ByteBuffer = ByteBuffer()) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// Responds to the requests of a listener.
package protocol Responder: Sendable {
    /// Returns the response; there always is one.
    func respond(to request: Request) async -> Response
}
