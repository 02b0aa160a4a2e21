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
        case (.get, "clock"): break
        case (.put, "clock"): try setClock(body)
        case (.post, "clock:advance"): try advanceClock(body)
        case (.get, "faults"): return faults
        case (.put, "faults"): return try setFaults(body)
        case (.delete, "faults"): engine.faults.set([], seed: 1)
        default:
            throw EngineError(
                .pathUnknown,
                "There are GET, PUT and DELETE faults, GET and PUT clock, POST clock:advance and POST reset."
            )
        }
        return path.hasPrefix("clock") ? clock : .members([])
    }

    /// The clock: `{"now", "offsetSeconds", "frozen"}`.
    private var clock: JSONValue {
        let reading = engine.clock.reading
        return .members([
            ("now", .integer(engine.clock.now.seconds)), ("offsetSeconds", .number(reading.offset)),
            ("frozen", .bool(reading.isFrozen)),
        ])
    }

    /// Sets the clock ahead or back, and lets it run or stand; what is not said stays.
    private func setClock(_ body: [UInt8]) throws(EngineError) {
        var members = try Members(body)
        let offset = try members.number("offsetSeconds", in: -1e9...1e9)
        let isFrozen = try members.bool("frozen")
        try members.end()
        guard offset != nil || isFrozen != nil else {
            throw .malformed("offsetSeconds", "is missing, and so is frozen")
        }
        let reading = engine.clock.reading
        engine.clock.set(offset: offset ?? reading.offset, isFrozen: isFrozen ?? reading.isFrozen)
    }

    /// Moves the clock: `{"seconds": 5}`.
    private func advanceClock(_ body: [UInt8]) throws(EngineError) {
        var members = try Members(body)
        let seconds = try members.number("seconds", in: -1e9...1e9)
        try members.end()
        guard let seconds else { throw .malformed("seconds", "is missing") }
        guard engine.clock.advance(by: seconds) else {
            throw .malformed("seconds", "moves the clock more than 1e9 seconds from the time")
        }
    }

    /// The faults, with their effects, and how often each matched and was injected.
    private var faults: JSONValue {
        let faults = engine.faults.contents.map { fault, matched, injected in
            JSONValue.members(
                fault.source.map { ($0.name, $0.value) }
                    + [("matched", .integer(Int64(matched))), ("injected", .integer(Int64(injected)))]
            )
        }
        return .members([("faults", .array(faults))])
    }

    /// Replaces all faults: `{"seed": 1, "faults": […]}`, or `{"seed": 1, "profile": "flaky"}`.
    private func setFaults(_ body: [UInt8]) throws(EngineError) -> JSONValue {
        var members = try Members(body)
        let seed = try members.integer("seed")
        let name = try members.string("profile")
        let list = try members.array("faults")
        try members.end()
        guard name != nil || list != nil else { throw members.mistake("faults", "is missing, and so is profile") }
        guard let profile = name == nil ? [] : name.flatMap(Fault.profile) else {
            throw members.mistake("profile", "is not one of \(Fault.profiles.joined(separator: ", "))")
        }
        engine.faults.set(try Fault.list(profile + (list ?? [])), seed: UInt64(bitPattern: seed ?? 1))
        return faults
    }
}
