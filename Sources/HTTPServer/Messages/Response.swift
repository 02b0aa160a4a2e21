package import HTTPTypes
package import NIOCore

/// An answer, whole before its first byte leaves.
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
