#if Emulator
import StrictCoding
import SwiftProtobuf

extension ControlResponder {
    /// The clock: `{"now", "offsetSeconds", "frozen"}`.
    var clock: [UInt8] {
        let reading = engine.clock.reading
        var writer = JSONWriter()
        writer.object { writer in
            writer.name("now")
            writer.value(.decimal("\(engine.clock.now.seconds)"))
            writer.name("offsetSeconds")
            writer.value(.decimal("\(reading.offset)"))
            writer.name("frozen")
            writer.bool(reading.isFrozen)
        }
        return writer.bytes
    }

    /// Sets the clock ahead or back, and lets it run or stand.
    func setClock(_ body: [UInt8]) throws(EngineError) -> [UInt8] {
        let object = try Self.object(body)
        let offset = object["offsetSeconds"] == nil ? engine.clock.reading.offset : try object.number("offsetSeconds")
        engine.clock.set(offset: offset, isFrozen: object["frozen"]?.boolValue ?? false)
        return clock
    }

    /// Moves the clock ahead: `{"seconds": 5}`.
    func advanceClock(_ body: [UInt8]) throws(EngineError) -> [UInt8] {
        guard engine.clock.advance(by: try Self.object(body).number("seconds")) else {
            throw .field(.bodyMalformed, "seconds", "moves the clock more than 1e9 seconds from the time")
        }
        return clock
    }
}

extension JSONObject {
    /// Returns a member that is a number.
    func number(_ name: String) throws(EngineError) -> Double {
        let value: Double? =
            switch self[name] {
            case .integer(let number)?: Double(number)
            case .decimal(let text)?: Double(text)
            default: nil
            }
        guard let value, abs(value) < 1e9 else {
            throw EngineError.field(.bodyMalformed, name, "is not a number up to 1e9")
        }
        return value
    }
}
#endif
