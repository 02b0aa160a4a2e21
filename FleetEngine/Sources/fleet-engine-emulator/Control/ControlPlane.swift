import EngineCoding
import FleetToken
import HTTPTypes

/// What tests do to the emulator, below `/_emulator/`: faults, time, and a fresh start.
struct ControlPlane: Sendable {
    let engine: Engine

    /// Returns the response to a request, by what follows `/_emulator/`.
    func respond(to verb: HTTPRequest.Method, at path: String, body: [UInt8]) throws(EngineError) -> JSONValue {
        switch (verb, path) {
        case (.post, "reset"): engine.reset()
        case (.post, "clock:advance"): return try advanceClock(body)
        case (.put, "faults"): try setFaults(body)
        case (.delete, "faults"): engine.faults.set([], seed: 1)
        default:
            throw EngineError(.pathUnknown, "There are PUT and DELETE faults, POST clock:advance and POST reset.")
        }
        return .members([])
    }

    /// Moves the clock: `{"seconds": 5}`.
    ///
    /// - Returns: `{"now"}`, in seconds since 1970.
    private func advanceClock(_ body: [UInt8]) throws(EngineError) -> JSONValue {
        var members = try Members(body)
        let seconds = try members.number("seconds", in: -1e9...1e9)
        try members.end()
        guard let seconds else { throw .malformed("seconds", "is missing") }
        guard engine.clock.advance(by: seconds) else {
            throw .malformed("seconds", "moves the clock more than 1e9 seconds from the time")
        }
        return .members([("now", .integer(engine.clock.now.seconds))])
    }

    /// Replaces all faults: `{"seed": 1, "faults": […]}`, or `{"seed": 1, "profile": "flaky"}`.
    private func setFaults(_ body: [UInt8]) throws(EngineError) {
        var members = try Members(body)
        let seed = try members.integer("seed")
        let name = try members.string("profile")
        let list = try members.array("faults")
        try members.end()
        guard name != nil || list != nil else { throw members.mistake("faults", "is missing, and so is profile") }
        guard let profile = name == nil ? [] : name.flatMap(Fault.profile) else {
            throw members.mistake("profile", "is not one of \(Fault.profiles.joined(separator: ", "))")
        }
        var faults = profile
        for (index, value) in (list ?? []).enumerated() {
            faults.append(try Fault(Members(value, at: "faults[\(index)]")))
        }
        engine.faults.set(faults, seed: UInt64(bitPattern: seed ?? 1))
    }
}
