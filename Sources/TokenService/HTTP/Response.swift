import HTTPTypes
import NIOCore

/// An answer, whole before its first byte leaves.
struct Response: Sendable {
    var status: HTTPResponse.Status
    var headers: HTTPFields = [:]
    var body = ByteBuffer()
}
