import EngineCoding
import FleetToken
import Foundation

/// A message in proto3's JSON mapping, read strictly: a field of the wrong type is an error, an unknown field is not.
///
/// A field that is absent or `null` has its default value (https://protobuf.dev/programming-guides/json/).
struct ProtoObject {
    private let object: JSONObject

    init(_ object: JSONObject) {
        self.object = object
    }

    /// Creates a message from a response's body.
    init(body: [UInt8]) throws(FleetEngineError) {
        do throws(JSONError) {
            object = try JSONParser.parseObject(body, maximumValues: 500_000)
        } catch {
            throw .unexpectedResponse("\(error).")
        }
    }

    func string(_ name: String) throws(FleetEngineError) -> String? {
        try value(name, type: "a string") { $0.stringValue }
    }

    /// An integer of 32 bits; the mapping allows a string and a fraction of zero as well.
    func integer(_ name: String) throws(FleetEngineError) -> Int32? {
        try value(name, type: "an integer of 32 bits") { Self.number($0).flatMap { Int32(exactly: $0) } }
    }

    /// A finite number; the mapping allows a string as well.
    func number(_ name: String) throws(FleetEngineError) -> Double? {
        try value(name, type: "a number", read: Self.number)
    }

    private static func number(_ value: JSONValue) -> Double? {
        switch value {
        case .integer(let integer): Double(integer)
        case .decimal(let text), .string(let text): ProtoNumber.parse(text)
        default: nil
        }
    }

    func date(_ name: String) throws(FleetEngineError) -> Date? {
        try value(name, type: "a timestamp") {
            $0.stringValue.flatMap { Timestamp($0) }.map { Date(timeIntervalSince1970: $0.secondsSince1970) }
        }
    }

    func duration(_ name: String) throws(FleetEngineError) -> TimeInterval? {
        try value(name, type: "a duration") { $0.stringValue.flatMap { ProtoDuration.parse($0) } }
    }

    /// An enumeration's value; nil for one that this version doesn't know.
    func enumeration<Value: ProtoEnumeration>(_ name: String) throws(FleetEngineError) -> Value? {
        // No value has a negative number.
        let number = try value(name, type: "an enumeration's value") { value in
            switch value {
            case .string(let name): Value.protoNames.firstIndex(of: name) ?? -1
            case .integer(let number): Int(exactly: number) ?? -1
            default: Int?.none
            }
        }
        return number.flatMap { Value(rawValue: $0) }
    }

    func message(_ name: String) throws(FleetEngineError) -> ProtoObject? {
        try value(name, type: "an object") { $0.objectValue.map { ProtoObject($0) } }
    }

    /// The elements of a repeated field; nil if the field is absent.
    func messages(_ name: String) throws(FleetEngineError) -> [ProtoObject]? {
        try value(name, type: "an array of objects") { value in
            guard let elements = value.arrayValue else { return nil }
            let objects = elements.compactMap { $0.objectValue.map { ProtoObject($0) } }
            return objects.count == elements.count ? objects : nil
        }
    }

    private func value<Value>(
        _ name: String,
        type: String,
        read: (JSONValue) -> Value?
    ) throws(FleetEngineError) -> Value? {
        guard let value = object[name], value != .null else { return nil }
        guard let result = read(value) else { throw .unexpectedResponse("\(name) is not \(type).") }
        return result
    }
}

extension Sequence {
    /// `map` with a typed error.
    func mapTyped<Value>(
        _ transform: (Element) throws(FleetEngineError) -> Value
    ) throws(FleetEngineError) -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try transform(element)) }
        return values
    }
}
