import FleetToken
import HTTPTypes
import NIOCore

extension Response {
    /// A response is for one caller and one time.
    private static let everyResponse: HTTPFields = [
        .cacheControl: "no-store",
        .pragma: "no-cache",
        .xContentTypeOptions: "nosniff",
    ]

    /// The same as text: it is in every response, so it is put together once.
    private static let everyResponseText = Array(
        everyResponse.map { "\($0.name.rawName): \($0.value)\r\n" }.joined().utf8
    )

    /// The length that the head announces; nil for a status without content (RFC 9110 section 8.6).
    private var contentLength: Int? { status == .noContent ? nil : body.count }

    /// All fields.
    var allFields: HTTPFields {
        var fields = headers
        if let contentType { fields[.contentType] = contentType }
        guard let requestID else { return fields }
        fields.append(contentsOf: Self.everyResponse)
        fields[.date] = HTTPDate.now()
        fields[.requestID] = requestID.description
        fields[.contentLength] = contentLength.map { String($0) }
        return fields
    }

    /// Writes ``allFields`` as lines of HTTP/1.1, without creating them.
    func writeFields(to buffer: inout ByteBuffer) {
        // Neither names nor values have CR or LF: HTTPFields lets none in.
        for field in headers { buffer.writeField(field.name.rawName, field.value) }
        if let contentType { buffer.writeField("Content-Type", contentType) }
        guard let requestID else { return }
        buffer.writeBytes(Self.everyResponseText)
        buffer.writeField("Date", HTTPDate.now())
        buffer.writeField("X-Request-Id", requestID.description)
        if let contentLength { buffer.writeField("Content-Length", String(contentLength)) }
    }
}

extension ByteBuffer {
    fileprivate mutating func writeField(_ name: String, _ value: String) {
        writeString(name)
        writeStaticString(": ")
        writeString(value)
        writeStaticString("\r\n")
    }
}

extension HTTPField.Name {
    // swift-format-ignore: NeverForceUnwrap
    static let pragma = Self("Pragma")!
}
