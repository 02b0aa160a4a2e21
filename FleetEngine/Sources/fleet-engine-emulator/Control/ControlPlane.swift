import EngineCoding
import FleetToken
import HTTPTypes

/// The control API below `/_emulator/`: faults, clock, reset.
struct ControlPlane: Sendable {
    private static let clock = Table("", [.init("seconds", .number(-1e9...1e9), .presence)])

    let engine: Engine

    /// Returns the response to a request.
    func respond(
        to verb: HTTPRequest.Method,
        at target: RequestTarget,
        body: [UInt8]
    ) throws(EngineError) -> JSONValue {
        switch (verb, target.segments[1], target.action) {
        case (.post, "reset", ""): try engine.reset()
        case (.post, "clock", "advance"): return try advanceClock(body)
        case (.put, "faults", ""): try setFaults(body)
        case (.delete, "faults", ""): engine.faults.set([])
        default:
            throw EngineError(.pathUnknown, "There are PUT and DELETE faults, POST clock:advance and POST reset.")
        }
        return .members([])
    }

    /// Moves the clock: `{"seconds": 5}`.
    ///
    /// - Returns: `{"now"}`, in seconds since 1970.
    private func advanceClock(_ body: [UInt8]) throws(EngineError) -> JSONValue {
        let request = try Self.clock.read(body: body)
        guard let seconds = request.number("seconds") else { throw .malformed("seconds", "is missing") }
        guard engine.clock.advance(by: seconds) else {
            throw .malformed("seconds", "moves the clock more than 1e9 seconds from the time")
        }
        return .members([("now", .integer(engine.clock.now.seconds))])
    }

    /// Replaces all faults: `{"faults": […]}`.
    private func setFaults(_ body: [UInt8]) throws(EngineError) {
        let request = try Tables.faults.read(body: body)
        guard request.has("faults") else { throw .malformed("faults", "is missing") }
        var faults: [Fault] = []
        for (index, fault) in request.messages("faults").enumerated() {
            faults.append(try Fault(fault, at: "faults[\(index)]"))
        }
        engine.faults.set(faults)
    }
}
