import HTTPTypes
import Hummingbird

/// The REST API, and the pages that are served beside it.
struct RESTResponder: Sendable {
    let engine: Engine
    let hosts: HostNames
    let page: PageAssets

    /// Responds to a request.
    func respond(to request: HTTPCall) async -> Response {
        await request.response(hosts) { () async throws(EngineError) in try await response(to: request) }
    }

    private func response(to request: HTTPCall) async throws(EngineError) -> Response {
        let call = Call(transport: .rest, authorization: request.head.headerFields[.authorization])
        let text = request.head.path ?? ""
        let body: [UInt8]
        let target: RequestTarget
        do throws(EngineError) {
            body = try request.checkedBody(hosts)
            target = try RequestTarget(text)
        } catch {
            throw engine.refused(error, method: text, call: call)
        }
        guard target.segments.first == "v1" else {
            if let asset = page.response(for: target, method: request.head.method) { return asset }
            let method = "\(request.head.method) \(target.segments.joined(separator: "/"))"
            throw engine.refused(.unknownMethod, method: method, call: call)
        }
        let (path, verb) = Self.split(target.segments)
        for route in Route.all where route.verb == request.head.method {
            guard let name = route.template.match(path, verb: verb) else { continue }
            let rest = RESTRequest(call: call, name: name, parameters: target.parameters, body: body)
            let (json, disturbance) = try await route.respond(engine, rest)
            return Response(json, disturbance)
        }
        let method = "\(request.head.method) /\(path.joined(separator: "/"))"
        throw engine.refused(.unknownMethod, method: method, call: call)
    }

    /// Takes the verb from the last segment: `trips:search`.
    private static func split(_ segments: [String]) -> (path: [String], verb: String) {
        guard let last = segments.last, let colon = last.lastIndex(of: ":") else { return (segments, "") }
        return (segments.dropLast() + [String(last[..<colon])], String(last[last.index(after: colon)...]))
    }
}

extension EngineError {
    /// The refusal of a path without a method.
    static let unknownMethod = Self(.methodUnknown, "The API has no such method and path.")
}

extension Response {
    /// Creates a response with JSON, complete or disturbed.
    ///
    /// A disturbed response promises more than it has, and is the connection's last.
    fileprivate init(_ json: [UInt8], _ disturbance: Disturbance?) {
        self.init(json: json)
        guard let disturbance else { return }
        let part = disturbance == .reset ? [] : Array(json.prefix(json.count / 2))
        body = ResponseBody(contentLength: max(1, json.count)) { writer in
            try await writer.write(ByteBuffer(bytes: part))
            // Hummingbird closes the connection.
            throw CancellationError()
        }
    }
}
