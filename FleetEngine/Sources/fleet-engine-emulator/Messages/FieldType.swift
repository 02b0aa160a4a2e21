import EngineCoding
import FleetToken

/// The type of a field, with its bounds.
indirect enum FieldType: Sendable {
    case text
    case flag
    /// An integer of 32 bits; the bounds are checked last.
    case integer(ClosedRange<Int64> = Self.all)
    case number(ClosedRange<Double> = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude)
    case time
    case duration
    /// Base64.
    case bytes
    /// An enumeration: its names, each at the index of its number. The first stands for none.
    case name([String])
    /// The enumeration of what a location comes from, whose numbers have gaps.
    case sensor
    /// A latitude and a longitude.
    case point
    case message(Table)
    case list(FieldType)
    /// A field whose default value is one: a message that wraps a number, or one of several fields to choose from.
    case wrapped(FieldType)

    static let all: ClosedRange<Int64> = -2_147_483_648...2_147_483_647

    /// The names and numbers of ``sensor``.
    static let sensors: KeyValuePairs<String, Int64> = [
        "UNKNOWN_SENSOR": 0, "GPS": 1, "NETWORK": 2, "PASSIVE": 3, "ROAD_SNAPPED_LOCATION_PROVIDER": 4,
        "CUSTOMER_SUPPLIED_LOCATION": 5, "FLEET_ENGINE_LOCATION": 6, "FUSED_LOCATION_PROVIDER": 100,
        "CORE_LOCATION": 200,
    ]

    /// Reads a value; nil for `null` and for a default value, which is as good as absent.
    func read(_ value: JSONValue, at path: FieldPath) throws(EngineError) -> JSONValue? {
        guard value != .null else { return nil }
        switch self {
        case .wrapped(let type): return try type.readWhole(value, at: path)
        case .message, .point: return try readWhole(value, at: path)
        default:
            let read = try readWhole(value, at: path)
            return isDefault(read) ? nil : read
        }
    }

    private func isDefault(_ value: JSONValue) -> Bool {
        switch (self, value) {
        case (.name(let names), .string(let text)): text == names.first
        case (.sensor, .string(let text)): text == Self.sensors[0].key
        case (.time, _), (.duration, _): false
        case (_, .string(let text)): text.utf8.isEmpty
        case (_, .integer(let number)): number == 0
        case (_, .decimal(let text)): Double(text) == 0
        case (_, .array(let elements)): elements.isEmpty
        default: value == .bool(false)
        }
    }

    private func readWhole(_ value: JSONValue, at path: FieldPath) throws(EngineError) -> JSONValue {
        switch self {
        case .text: return .string(try value.stringValue.orMalformed(path, "is not a string"))
        case .flag: return .bool(try value.boolValue.orMalformed(path, "is not true or false"))
        case .time:
            let time = value.stringValue.flatMap { Timestamp($0) }
            return .time(try time.orMalformed(path, "is not a time such as 2026-11-23T15:00:00Z"))
        case .duration:
            let seconds = value.stringValue.flatMap { ProtoDuration.parse($0) }
            _ = try seconds.orMalformed(path, "is not a duration such as 1.5s")
            return value
        case .bytes:
            let bytes = value.stringValue.flatMap { Base64.decode($0) }
            return .string(Base64.encode(try bytes.orMalformed(path, "is not base64")))
        case .integer(let bounds):
            let number = (value.integerValue ?? value.stringValue.flatMap { Int64($0) })
                .flatMap { Self.all.contains($0) ? $0 : nil }
            return .integer(
                try Self.checked(try number.orMalformed(path, "is not an integer of 32 bits"), bounds, path)
            )
        case .number(let bounds):
            let number =
                value.numberValue ?? value.stringValue.flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
            return .number(try Self.checked(try number.orMalformed(path, "is not a number"), bounds, path))
        case .name(let names): return .string(try Self.name(value, names.enumerated().map { ($0, $1) }, path))
        case .sensor:
            let sensor = try Self.name(value, Self.sensors.map { (Int($0.value), $0.key) }, path)
            guard sensor != "FLEET_ENGINE_LOCATION" else {
                throw .refused(by: .locationSensorReserved, path.full, "is for Fleet Engine only")
            }
            return .string(sensor)
        case .point:
            let point = Point(try Tables.latLng.read(value, at: path))
            guard point.isOnEarth else { throw .invalid(path.full, "is not a latitude and longitude") }
            return point.json
        case .message(let table): return try table.read(value, at: path).json
        case .list(let type):
            var list: [JSONValue] = []
            for (index, element) in try value.arrayValue.orMalformed(path, "is not an array").enumerated() {
                list.append(try type.readWhole(element, at: path.appending(index)))
            }
            return .array(list)
        case .wrapped(let type): return try type.readWhole(value, at: path)
        }
    }

    private static func checked<Number: Comparable>(
        _ number: Number,
        _ bounds: ClosedRange<Number>,
        _ path: FieldPath
    ) throws(EngineError) -> Number {
        guard bounds.contains(number) else {
            throw .invalid(path.full, "must be from \(bounds.lowerBound) to \(bounds.upperBound)")
        }
        return number
    }

    /// Returns the name of an enumeration's value, which is sent as a name or, by Google's libraries, as a number.
    private static func name(
        _ value: JSONValue,
        _ names: [(number: Int, name: String)],
        _ path: FieldPath
    ) throws(EngineError) -> String {
        let named = names.first { value == .string($0.name) || value == .integer(Int64($0.number)) }
        return try (named?.name).orMalformed(
            path,
            "is not one of \(names.dropFirst().map(\.name).joined(separator: ", "))"
        )
    }
}

extension Optional {
    /// The value.
    ///
    /// - Throws: ``EngineError`` that names the field, if there is none.
    fileprivate func orMalformed(_ path: FieldPath, _ problem: String) throws(EngineError) -> Wrapped {
        guard let value = self else { throw .malformed(path.text, problem) }
        return value
    }
}
