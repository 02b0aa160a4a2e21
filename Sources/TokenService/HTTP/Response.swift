import FleetToken
package import HTTPTypes
import NIOCore
import NIOHTTP1
import ServiceSupport
import TokenIssuance

/// A response, complete before its first byte is sent.
package struct Response: Sendable {
    package let status: HTTPResponse.Status
    /// The media type of the body, if any.
    package let contentType: String?
    /// Fields beside those of every response.
    package var headers: HTTPFields
    package let body: [UInt8]
    /// The ID of its request.
    package var requestID: String?
    /// Whether only the head is sent, as if the body followed.
    package var omitsBody = false

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

extension Response {
    /// More bytes than the head of a usual response has.
    private static let headSize = 512

    /// Writes the response as HTTP/1.1, with the fields of every response.
    func write(to buffer: inout ByteBuffer, at now: NumericDate) {
        buffer.reserveCapacity(minimumWritableBytes: body.count + Self.headSize)
        buffer.writeString("HTTP/1.1 \(status.code) \(HTTPResponseStatus(statusCode: status.code).reasonPhrase)\r\n")
        for field in headers { Self.write(field.name, field.value, to: &buffer) }
        // A response is for one caller and one time.
        buffer.writeStaticString("Cache-Control: no-store\r\nPragma: no-cache\r\nX-Content-Type-Options: nosniff\r\n")
        if let contentType { Self.write(.contentType, contentType, to: &buffer) }
        if let requestID { Self.write(.requestID, requestID, to: &buffer) }
        Self.write(.date, HTTPDate.text(now), to: &buffer)
        // A status without content has no length (RFC 9110 section 8.6).
        if status != .noContent { Self.write(.contentLength, String(body.count), to: &buffer) }
        buffer.writeString("\r\n")
        if !omitsBody { buffer.writeBytes(body) }
    }

    /// Writes a field; neither a name nor a value has CR or LF, which HTTPFields does not let in.
    private static func write(_ name: HTTPField.Name, _ value: String, to buffer: inout ByteBuffer) {
        buffer.writeString(name.rawName)
        buffer.writeString(": ")
        buffer.writeString(value)
        buffer.writeString("\r\n")
    }
}
