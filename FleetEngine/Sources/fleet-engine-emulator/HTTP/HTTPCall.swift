import HTTPTypes
import Hummingbird

/// A request with its whole body.
struct HTTPCall: Sendable {
    /// How large a body may be, in bytes: a batch of tasks has 500.
    static let maximumBodySize = 4 << 20

    let head: HTTPRequest
    /// nil if it is too large.
    let body: [UInt8]?

    /// Returns the response to a request, with what is the same for all listeners: preflight requests, refusals and CORS.
    func response(_ hosts: HostNames, _ respond: () async throws(EngineError) -> Response) async -> Response {
        var response: Response
        if head.method == .options {
            response = Response(status: .noContent)
        } else {
            do throws(EngineError) {
                response = try await respond()
            } catch {
                response = Response(error)
            }
        }
        response.headers.append(contentsOf: hosts.headers(for: head))
        return response
    }

    /// Returns the body, and checks what is the same for all paths: the host, the page's origin and the body's size.
    ///
    /// Any page may send a request to this machine; its response alone is kept from it.
    func checkedBody(_ hosts: HostNames) throws(EngineError) -> [UInt8] {
        guard hosts.allows(head) else {
            throw EngineError(
                .originForeign,
                "The host name \(head.authority?.beginning ?? "") is not accepted. Use localhost, or add --allow-host."
            )
        }
        if let origin = head.headerFields[.origin], !hosts.allows(origin: origin) {
            throw EngineError(.originForeign, "A page of another machine may not use the emulator.")
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

    /// Returns the response with the fields that every response carries, and for `HEAD` without its body.
    func finished(for request: HTTPRequest) -> Response {
        var response = request.method == .head ? createHeadResponse() : self
        response.headers[.cacheControl] = "no-store"
        if let name = HTTPField.Name("X-Fleet-Engine-Emulator") { response.headers[name] = EmulatorVersion.current }
        return response
    }
}

/// The emulator's version, which is that of the release.
enum EmulatorVersion {
    /// As the CHANGELOG has it.
    static let current = "0.1.0"
}
