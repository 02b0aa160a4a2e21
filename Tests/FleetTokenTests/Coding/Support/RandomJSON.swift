import FleetToken
import TestTools

/// Random values, and random spellings of them.
struct RandomJSON {
    var generator: SeededGenerator

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    /// A value of integers, strings, literals and containers.
    mutating func value(depth: Int = 0) -> JSONValue {
        switch Int.random(in: 0..<(depth < 4 ? 7 : 5), using: &generator) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &generator))
        case 2: return .integer(Int64.random(in: -1000...1000, using: &generator))
        case 3: return .integer(Int64.random(in: .min ... .max, using: &generator))
        case 4: return .string(string())
        case 5: return .array((0..<Int.random(in: 0..<5, using: &generator)).map { _ in value(depth: depth + 1) })
        default:
            var object = JSONObject()
            for _ in 0..<Int.random(in: 0..<5, using: &generator) {
                _ = object.append(.init(string(), value(depth: depth + 1)))
            }
            return .object(object)
        }
    }

    /// A string that mixes ASCII, controls, invisible scalars and scalars of every plane.
    mutating func string() -> String {
        var string = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0..<8, using: &generator) {
            string.append(scalar())
        }
        return String(string)
    }

    private mutating func scalar() -> Unicode.Scalar {
        let ranges: [ClosedRange<UInt32>] = [0x20...0x7E, 0x00...0x1F, 0x7F...0x9F, 0x2000...0x206F, 0xA0...0x10FFFF]
        let range = ranges[Int.random(in: ranges.indices, using: &generator)]
        while true {
            if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &generator)) { return scalar }
        }
    }

    /// One of the many texts that mean a value: white space anywhere, any character escaped or not.
    mutating func spelling(of value: JSONValue) -> String {
        switch value {
        case .null: padded("null")
        case .bool(let bool): padded(bool ? "true" : "false")
        case .integer(let integer): padded(String(integer))
        case .decimal(let text): padded(text)
        case .string(let text): padded(spelling(of: text))
        case .array(let elements): padded("[" + elements.map { spelling(of: $0) }.joined(separator: ",") + padded("]"))
        case .object(let object):
            padded(
                "{"
                    + object.members
                    .map { padded(spelling(of: $0.name)) + ":" + spelling(of: $0.value) }
                    .joined(separator: ",") + padded("}")
            )
        }
    }

    private mutating func padded(_ text: String) -> String {
        func space() -> String {
            String(["", "", "", " ", "\n", "\t", "\r\n"].randomElement(using: &generator) ?? "")
        }
        return space() + text + space()
    }

    private mutating func spelling(of text: String) -> String {
        var spelling = "\""
        for scalar in text.unicodeScalars {
            let mustEscape = scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
            if mustEscape || Int.random(in: 0..<4, using: &generator) == 0 {
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16, uppercase: Bool.random(using: &generator))
                    spelling += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            } else {
                spelling.unicodeScalars.append(scalar)
            }
        }
        return spelling + "\""
    }
}
