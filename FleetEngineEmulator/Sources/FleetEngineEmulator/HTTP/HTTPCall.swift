import HTTPTypes
import Hummingbird

/// A request with its whole body.
struct HTTPCall: Sendable {
    /// How large a body may be, in bytes: a batch of tasks has 500.
    static let maximumBodySize = 4 << 20

    let head: HTTPRequest
    /// nil if it is too large.
    let body: [UInt8]?

    /// The field `Origin`, which only browsers send.
    var origin: String? { head.headerFields[.origin] }

    /// Returns the body, and checks what is the same for all paths: the host, and the body's size.
    func checkedBody(_ hosts: HostNames) throws(EngineError) -> [UInt8] {
        guard hosts.allows(head) else {
            throw EngineError(
                .originForeign,
                "The host name \(head.authority ?? "") is not this machine's. Use localhost, or --allow-other-machines."
            )
        }
        guard let body else { throw EngineError(.bodyMalformed, "The body is larger than 4 MiB.") }
        return body
    }
}

extension Response {
    /// Creates a response with JSON.
    init(status: HTTPResponse.Status = .ok, json: [UInt8], headers: HTTPFields = [:]) {
        var headers = headers
        headers[.contentType] = "application/json; charset=utf-8"
        self.init(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: json)))
    }

    /// Creates the response of a refusal.
    init(_ error: EngineError) {
        self.init(status: .init(code: error.code.http), json: error.json.bytes, headers: error.headers)
    }

    /// Returns the response with the fields that every answer carries, and for `HEAD` without its body.
    func finished(for request: HTTPRequest) -> Response {
        var response = request.method == .head ? createHeadResponse() : self
        response.headers[.cacheControl] = "no-store"
        if let name = HTTPField.Name("X-Fleet-Engine-Emulator") { response.headers[name] = EmulatorVersion.current }
        return response
    }
}
