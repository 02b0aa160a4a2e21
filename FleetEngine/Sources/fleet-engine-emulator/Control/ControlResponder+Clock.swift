import SwiftProtobuf

extension ControlResponder {
    /// The clock: `{"now", "offsetSeconds", "frozen"}`.
    var clock: JSON {
        let reading = engine.clock.reading
        return [
            "now": .integer(engine.clock.now.seconds), "offsetSeconds": .number("\(reading.offset)"),
            "frozen": .bool(reading.isFrozen),
        ]
    }

    /// Sets the clock ahead or back, and lets it run or stand.
    ///
    /// What is not said stays.
    func setClock(_ body: [UInt8]) throws(EngineError) -> JSON {
        var members = try Members(body)
        let offset = try members.number("offsetSeconds", in: -1e9...1e9)
        let isFrozen = try members.bool("frozen")
        try members.end()
        guard offset != nil || isFrozen != nil else {
            throw .malformed("offsetSeconds", "is missing, and so is frozen")
        }
        let reading = engine.clock.reading
        engine.clock.set(offset: offset ?? reading.offset, isFrozen: isFrozen ?? reading.isFrozen)
        return clock
    }

    /// Moves the clock: `{"seconds": 5}`.
    func advanceClock(_ body: [UInt8]) throws(EngineError) -> JSON {
        var members = try Members(body)
        let seconds = try members.number("seconds", in: -1e9...1e9)
        try members.end()
        guard let seconds else { throw .malformed("seconds", "is missing") }
        guard engine.clock.advance(by: seconds) else {
            throw .malformed("seconds", "moves the clock more than 1e9 seconds from the time")
        }
        return clock
    }
}
