import FleetToken
import HTTPTypes
import Hummingbird
import NIOCore

/// Responds to requests: the API, what tests do to the emulator, and the pages.
struct EmulatorResponder: Sendable {
    /// How large a body may be, in bytes: a batch of tasks has 500.
    static let maximumBody = 1 << 20

    let engine: Engine
    let hosts: HostNames
    let page: JourneyPage

    /// Responds to a request; `body` is nil if it is too large.
    func respond(to head: HTTPRequest, body: [UInt8]?) async -> Response {
        var response: Response
        if head.method == .options {
            response = Response(status: .noContent)
        } else {
            do throws(EngineError) {
                response = try await self.response(to: head, body)
            } catch {
                response = Response(status: .init(code: error.code.http), json: error.json, headers: error.headers)
            }
        }
        response.headers.append(contentsOf: hosts.headers(for: head))
        response.headers[.cacheControl] = "no-store"
        if let name = HTTPField.Name("X-Fleet-Engine-Emulator") { response.headers[name] = EmulatorVersion.current }
        return head.method == .head ? response.createHeadResponse() : response
    }

    private func response(to head: HTTPRequest, _ body: [UInt8]?) async throws(EngineError) -> Response {
        // Any page may send a request to this machine; its response alone is kept from it.
        try hosts.check(head)
        guard let body else { throw .malformed("The body is larger than 1 MiB.") }
        let target = try RequestTarget(head.path ?? "")
        switch target.segments.first {
        case "v1":
            let call = EngineCall(
                verb: head.method,
                path: try ResourcePath(target.segments),
                parameters: target.parameters,
                authorization: head.headerFields[.authorization],
                body: body
            )
            let (message, disturbance) = try await engine.respond(to: call)
            return Response(message.json, disturbance)
        case "_emulator" where target.segments.count == 2 && target.parameters.isEmpty:
            let control = ControlPlane(engine: engine)
            return Response(json: try control.respond(to: head.method, at: target.segments[1], body: body))
        default:
            guard let response = page.response(for: target, head.method) else {
                throw EngineError(.pathUnknown, "There is nothing at this path: the API is below /v1/providers/.")
            }
            return response
        }
    }
}

extension Response {
    /// Creates a response with JSON.
    init(status: HTTPResponse.Status = .ok, json: JSONValue, headers: HTTPFields = [:]) {
        var headers = headers
        headers[.contentType] = "application/json; charset=utf-8"
        self.init(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: json.bytes)))
    }

    /// Creates a response with JSON, complete or disturbed.
    ///
    /// A disturbed response promises more than it has, and is the connection's last.
    fileprivate init(_ json: JSONValue, _ disturbance: Fault.Disturbance?) {
        self.init(json: json)
        guard let disturbance else { return }
        let bytes = json.bytes
        let part = disturbance == .reset ? [] : Array(bytes.prefix(bytes.count / 2))
        body = ResponseBody(contentLength: max(1, bytes.count)) { writer in
            try await writer.write(ByteBuffer(bytes: part))
            // Hummingbird closes the connection.
            throw CancellationError()
        }
    }
}
