import FleetToken
import HTTPTypes
import Hummingbird
import NIOCore

/// Responds to requests: the API, the control API, and the pages.
struct EmulatorResponder: Sendable {
    let engine: Engine
    let page: JourneyPage

    /// Responds to a request, with its body or the reason why the body could not be read.
    func respond(to head: HTTPRequest, body: Result<[UInt8], EngineError>) async -> Response {
        var response: Response
        if head.method == .options {
            response = preflight(head)
        } else {
            do throws(EngineError) {
                response = try await self.response(to: head, try body.get())
            } catch {
                response = Response(.failure(error))
            }
        }
        // A web app's tests run on another origin; requests have tokens, and no cookies.
        response.headers[.accessControlAllowOrigin] = "*"
        response.headers[.cacheControl] = "no-store"
        return head.method == .head ? response.createHeadResponse() : response
    }

    private func preflight(_ head: HTTPRequest) -> Response {
        Response(
            status: .noContent,
            headers: [
                .accessControlAllowMethods: "GET, POST, PUT, PATCH, DELETE",
                .accessControlAllowHeaders: head.headerFields[.accessControlRequestHeaders] ?? "authorization",
                .accessControlMaxAge: "600",
            ]
        )
    }

    private func response(to head: HTTPRequest, _ body: [UInt8]) async throws(EngineError) -> Response {
        let target = try RequestTarget(head.path ?? "")
        switch target.segments.first {
        case "v1":
            let (result, broken) = await engine.respond(to: head, at: target, body: body)
            return Response(result.map(\.json), broken: broken)
        case "_emulator" where target.segments.count == 2 && target.parameters.isEmpty:
            let control = ControlPlane(engine: engine)
            return Response(.success(try control.respond(to: head.method, at: target, body: body)))
        default:
            guard target.action.isEmpty, let response = page.response(for: target, head.method) else {
                throw EngineError(.pathUnknown, "There is nothing at this path: the API is below /v1/providers/.")
            }
            return response
        }
    }
}

extension Response {
    /// Creates a response with JSON, or with an error, whole or broken.
    ///
    /// A broken response promises more than it has, and is the connection's last.
    init(_ result: Result<JSONValue, EngineError>, broken: BrokenResponse? = nil) {
        var status = HTTPResponse.Status.ok
        var headers: HTTPFields = [:]
        let bytes: [UInt8]
        switch result {
        case .success(let json): bytes = json.bytes
        case .failure(let error):
            (status, headers, bytes) = (.init(code: error.code.http), error.headers, error.json.bytes)
        }
        headers[.contentType] = "application/json; charset=utf-8"
        self.init(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
        guard let broken else { return }
        let part = broken == .reset ? [] : Array(bytes.prefix(bytes.count / 2))
        body = ResponseBody(contentLength: bytes.count) { writer in
            try await writer.write(ByteBuffer(bytes: part))
            // Hummingbird closes the connection.
            throw CancellationError()
        }
    }
}
