#if Emulator
import FleetToken
import HTTPServer
import HTTPTypes
import NIOCore
import StrictCoding

/// The control plane: what tests do to the emulator, beside the API and on a port of its own.
struct ControlResponder: Responder {
    let engine: Engine
    let hosts: HostPolicy

    func respond(to request: Request) async -> Response {
        // Answers CORS preflight requests.
        if request.head.method == .options {
            return Response(status: .noContent, headers: PageOrigin.headers(for: request.head))
        }
        var response: Response
        do throws(EngineError) {
            response = Response(status: .ok, json: try await answer(request))
        } catch {
            response = Response(status: .init(code: error.code.http), json: error.json)
        }
        response.headers.append(contentsOf: PageOrigin.headers(for: request.head))
        response.finish(request.head)
        return response
    }

    private func answer(_ request: Request) async throws(EngineError) -> [UInt8] {
        try request.check(hosts)
        // Any page may send a request to this machine; its answer alone is kept from it.
        guard request.head.headerFields[.origin] == nil || !PageOrigin.headers(for: request.head).isEmpty else {
            throw EngineError(.originForeign, "A page of another machine may not use the control plane.")
        }
        let target: RequestTarget
        do {
            target = try RequestTarget(request.head.path ?? "")
        } catch {
            throw EngineError(.bodyMalformed, "\(error)")
        }
        guard target.segments.count == 2, target.segments[0] == "_emulator" else { throw .unknownMethod }
        let body = Array(buffer: request.body)
        switch (request.head.method, target.segments[1]) {
        case (.get, "health"), (.get, "ready"): return Self.health
        case (.post, "reset"): return reset()
        case (.get, "state"): return try state()
        case (.put, "state"): return try setState(body)
        case (.get, "requests"): return requests(target)
        case (.delete, "requests"):
            engine.journal.clear()
            return Self.done
        case (.get, "clock"): return clock
        case (.put, "clock"): return try setClock(body)
        case (.post, "clock:advance"): return try advanceClock(body)
        case (.get, "faults"): return faults
        case (.put, "faults"): return try setFaults(body)
        case (.get, "keys"): return keys
        case (.put, "keys"): return try setKeys(body)
        case (.get, "parity"): return Parity.json
        default: throw .unknownMethod
        }
    }

    static let done = Array("{}".utf8)

    private static let health: [UInt8] = {
        var writer = JSONWriter()
        writer.object { writer in
            writer.name("status")
            writer.string("ok")
            writer.name("version")
            writer.string(ProductVersion.current)
        }
        return writer.bytes
    }()

    private func reset() -> [UInt8] {
        engine.withFleet { $0 = Fleet() }
        engine.journal.clear()
        engine.faults.set([], seed: 1)
        engine.clock.set(offset: 0, isFrozen: false)
        return Self.done
    }

    /// Parses a body that is an object.
    static func object(_ body: [UInt8]) throws(EngineError) -> JSONObject {
        do {
            return try JSONParser.parseObject(body, maximumValues: 100_000)
        } catch {
            throw EngineError(.bodyMalformed, "The body is not a JSON object: \(error).")
        }
    }
}

extension Response {
    /// Adds the fields that every answer carries, and omits the body for `HEAD`.
    mutating func finish(_ request: HTTPRequest) {
        omitsBody = request.method == .head
        headers[.date] = HTTPDate.now()
        headers[.cacheControl] = "no-store"
        if let name = HTTPField.Name("X-Fleet-Engine-Emulator") { headers[name] = ProductVersion.current }
        guard status != .noContent, headers[.contentLength] == nil else { return }
        headers[.contentLength] = String(body.count)
    }
}
#endif
