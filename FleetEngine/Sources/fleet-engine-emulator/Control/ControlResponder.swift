import HTTPTypes
import Hummingbird

/// The control plane: what tests do to the emulator, beside the API and on a port of its own.
struct ControlResponder: Sendable {
    /// The requests, with what each does.
    static let index: KeyValuePairs<String, String> = [
        "GET health": "whether it runs",
        "GET ready": "whether it runs",
        "POST reset": "restores what was there after the start: resources, keys, clock; no faults, an empty journal",
        "GET state": "all resources, in the JSON of the API",
        "PUT state": "replaces all resources",
        "GET requests": "the journal; ?refused=true and ?limit=N select",
        "DELETE requests": "clears the journal",
        "GET clock": "the clock",
        "PUT clock": "sets offsetSeconds, and whether it is frozen",
        "POST clock:advance": "moves the clock by seconds",
        "GET faults": "the faults with their effects, and how often each was injected",
        "PUT faults": "replaces the faults: a list, or a profile",
        "DELETE faults": "removes the faults",
        "GET keys": "accounts, their roles and key IDs",
        "PUT keys": "sets roles and keys until the next reset",
    ]

    let engine: Engine
    let hosts: HostNames

    /// Responds to a request.
    func respond(to request: HTTPCall) async -> Response {
        await request.response(hosts) { () async throws(EngineError) in Response(json: try await json(for: request)) }
    }

    private func json(for request: HTTPCall) async throws(EngineError) -> [UInt8] {
        let body = try request.checkedBody(hosts)
        let target = try RequestTarget(request.head.path ?? "")
        guard target.segments.first == "_emulator", target.segments.count <= 2 else { throw .unknownMethod }
        let (method, path) = (request.head.method, target.segments.dropFirst().first ?? "")
        if (method, path) != (.get, "requests"), let parameter = target.parameters.first {
            throw .malformed(parameter.name, "is not a parameter of this path")
        }
        switch (method, path) {
        case (.get, ""): return index.bytes
        case (.get, "health"), (.get, "ready"): return Self.health.bytes
        case (.post, "reset"): engine.reset()
        case (.get, "state"): return try engine.state()
        case (.put, "state"): engine.replaceFleet(try Fleet(state: body, now: engine.clock.now))
        case (.get, "requests"): return try requests(target.parameters).bytes
        case (.delete, "requests"): engine.journal.clear()
        case (.get, "clock"): return clock.bytes
        case (.put, "clock"): return try setClock(body).bytes
        case (.post, "clock:advance"): return try advanceClock(body).bytes
        case (.get, "faults"): return faults.bytes
        case (.put, "faults"): return try setFaults(body).bytes
        case (.delete, "faults"): engine.faults.set([], seed: 1)
        case (.get, "keys"): return keys.bytes
        case (.put, "keys"): return try await setKeys(body).bytes
        default: throw .unknownMethod
        }
        return Array("{}".utf8)
    }

    private var index: JSON {
        .object(Self.index.map { JSON.Member(name: $0, value: .string($1)) })
    }

    private static let health: JSON = ["status": "ok", "version": .string(EmulatorVersion.current)]
}
