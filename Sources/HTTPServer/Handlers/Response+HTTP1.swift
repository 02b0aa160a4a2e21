import HTTPTypes
import NIOHTTP1
import ServiceSupport
import StrictCoding
import Telemetry

extension Response {
    /// ``everyResponse`` as lines, which are put together once.
    private static let everyResponseLines = Array(
        everyResponse.map { "\($0.name.rawName): \($0.value)\r\n" }.joined().utf8
    )

    /// Appends the response as HTTP/1.1: the status line, ``allFields`` as lines, and the body.
    func write(to bytes: inout [UInt8]) {
        if status == .ok {
            bytes.append(literal: "HTTP/1.1 200 OK\r\n")
        } else {
            let phrase = HTTPResponseStatus(statusCode: status.code).reasonPhrase
            bytes += "HTTP/1.1 \(status.code) \(phrase)\r\n".utf8
        }
        writeFields(to: &bytes)
        bytes.append(literal: "\r\n")
        if !omitsBody { bytes += body }
    }

    private func writeFields(to bytes: inout [UInt8]) {
        // Neither names nor values have CR or LF: HTTPFields lets none in.
        for field in headers { bytes.append(field: field.name.rawName, field.value) }
        if isJSON { bytes.append(literal: "Content-Type: application/json\r\n") }
        guard let requestID else { return }
        bytes += Self.everyResponseLines
        bytes.append(field: "Date", DateField.now())
        bytes.append(literal: "X-Request-Id: ")
        requestID.append(to: &bytes)
        bytes.append(literal: "\r\n")
        guard let contentLength else { return }
        bytes.append(literal: "Content-Length: ")
        bytes.append(decimal: Int64(contentLength))
        bytes.append(literal: "\r\n")
    }
}

extension [UInt8] {
    fileprivate mutating func append(field name: String, _ value: String) {
        self += name.utf8
        append(literal: ": ")
        self += value.utf8
        append(literal: "\r\n")
    }
}
