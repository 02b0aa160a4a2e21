import EngineCoding
import FleetToken

extension JSONValue {
    /// Creates an object of members with unique names.
    static func members(_ members: [(name: String, value: JSONValue?)]) -> Self {
        var object = JSONObject()
        for (name, value) in members {
            if let value { _ = object.append(.init(name, value)) }
        }
        return .object(object)
    }

    static func number(_ number: Double) -> Self { .decimal("\(number)") }

    static func time(_ time: Timestamp) -> Self { .string(time.text) }

    /// Creates a duration of seconds.
    static func duration(_ seconds: Double) -> Self { .string(ProtoDuration.text(seconds)) }

    /// Creates a distance in whole metres; one that does not fit in 32 bits is the nearest that does.
    static func meters(_ meters: Double) -> Self {
        .integer(Int64(min(max(meters.isNaN ? 0 : meters.rounded(), -2_147_483_648), 2_147_483_647)))
    }

    /// Creates a list; nil for an empty one, which JSON leaves out.
    static func list(_ elements: [JSONValue]) -> Self? { elements.isEmpty ? nil : .array(elements) }

    static func list(_ messages: [Message]) -> Self? { list(messages.map(\.json)) }

    static func list(_ texts: [String]) -> Self? { list(texts.map(JSONValue.string)) }

    static func list(_ points: [Point]) -> Self? { list(points.map(\.json)) }

    /// The number, which may be a string; nil for another value, and for one that a `Double` cannot hold.
    var numberValue: Double? {
        switch self {
        case .integer(let integer): Double(integer)
        case .decimal(let text), .string(let text): ProtoNumber.parse(text)
        default: nil
        }
    }

    /// The text, in one line.
    var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.value(self)
        return writer.bytes
    }
}

extension String {
    /// Returns whether two strings have the same UTF-8: `==` takes canonically equivalent ones for equal.
    func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }

    /// A field's name or path in the spelling of the `.proto` files: `last_location.heading`.
    var snakeCased: String {
        String(
            decoding: utf8.flatMap { (0x41...0x5A).contains($0) ? [UInt8(ascii: "_"), $0 | 0x20] : [$0] },
            as: UTF8.self
        )
    }

    /// A name in camel case, as JSON has it.
    var camelCased: String {
        var isUpper = false
        var bytes: [UInt8] = []
        for byte in utf8 {
            guard byte != UInt8(ascii: "_") else {
                isUpper = true
                continue
            }
            bytes.append(isUpper && (0x61...0x7A).contains(byte) ? byte & 0xDF : byte)
            isUpper = false
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
