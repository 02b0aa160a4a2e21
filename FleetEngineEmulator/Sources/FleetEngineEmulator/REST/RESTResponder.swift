#if Emulator
import FleetToken
import HTTPServer
import HTTPTypes
import NIOCore

/// The REST API, and the pages that are served beside it.
struct RESTResponder: Responder {
    /// How large a request's body may be: a batch of tasks has 500.
    static let maximumBodySize = 4 * 1024 * 1024

    let engine: Engine
    let hosts: HostPolicy
    let page: PageAssets

    func respond(to request: Request) async -> Response {
        // Answers CORS preflight requests.
        if request.head.method == .options {
            return Response(status: .noContent, headers: CORS.headers(for: request.head, isPreflight: true))
        }
        var response: Response
        do throws(EngineError) {
            response = try await answer(request)
        } catch {
            response = Response(status: .init(code: error.code.http), json: error.json, headers: error.headers)
        }
        response.headers.append(contentsOf: CORS.headers(for: request.head, isPreflight: false))
        response.finish(request.head)
        return response
    }

    private func answer(_ request: Request) async throws(EngineError) -> Response {
        let call = Call(transport: .rest, authorization: request.head.headerFields[.authorization])
        let text = request.head.path ?? ""
        do throws(EngineError) {
            try request.check(hosts)
        } catch {
            throw refused(error, text, call)
        }
        let target: RequestTarget
        do {
            target = try RequestTarget(Self.plain(text))
        } catch {
            throw refused(EngineError(.bodyMalformed, "\(error)"), text, call)
        }
        guard target.segments.first == "v1" else {
            guard let asset = page.response(for: target.segments, method: request.head.method) else {
                throw refused(.unknownMethod, "\(request.head.method) \(target.segments.joined(separator: "/"))", call)
            }
            return asset
        }
        let (path, verb) = Self.split(target.segments)
        for route in RESTRoute.all where route.verb == request.head.method {
            guard let name = route.template.match(path, verb: verb) else { continue }
            let rest = RESTRequest(
                call: call,
                name: name,
                parameters: target.parameters,
                body: Array(buffer: request.body)
            )
            let (json, disturbance) = try await route.answer(engine, rest)
            return Response(json, disturbance)
        }
        throw refused(.unknownMethod, "\(request.head.method) /\(path.joined(separator: "/"))", call)
    }

    private func refused(_ error: EngineError, _ method: String, _ call: Call) -> EngineError {
        engine.refuse(method, call, error)
        return error
    }

    /// Returns a target whose query has spaces as `%20`; forms write them as `+`.
    private static func plain(_ target: String) -> String {
        guard let query = target.firstIndex(of: "?") else { return target }
        return target[..<query]
            + target[query...].split(separator: "+", omittingEmptySubsequences: false).joined(separator: "%20")
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

extension Request {
    /// Checks what is the same for all paths: the host, and that the body is complete.
    func check(_ hosts: HostPolicy) throws(EngineError) {
        do throws(TokenError) {
            try hosts.check(head)
        } catch {
            throw EngineError(.originForeign, error.message)
        }
        guard body.readableBytes <= RESTResponder.maximumBodySize else {
            throw EngineError(.bodyMalformed, "The body is larger than 4 MiB.")
        }
    }
}

extension Response {
    /// Creates a response with JSON, complete or disturbed.
    ///
    /// A disturbed response promises more than it has, and is the connection's last.
    fileprivate init(_ json: [UInt8], _ disturbance: Disturbance?) {
        self.init(status: .ok, json: json)
        guard let disturbance else { return }
        headers[.contentLength] = String(max(1, json.count))
        headers[.connection] = "close"
        body = disturbance == .reset ? [] : Array(json.prefix(json.count / 2))
    }
}
#endif
