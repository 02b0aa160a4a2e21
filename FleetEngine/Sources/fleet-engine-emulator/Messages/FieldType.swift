import EngineCoding
import FleetToken

/// The type of a field, with its bounds.
indirect enum FieldType: Sendable {
    case text
    case flag
    /// An integer of 32 bits, which may have a fraction of zero; the bounds are checked last.
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
    /// What no method evaluates: any value is accepted.
    case ignored

    static let all: ClosedRange<Int64> = -2_147_483_648...2_147_483_647

    /// The names and numbers of ``sensor``.
    static let sensors: KeyValuePairs<String, Int64> = [
        "UNKNOWN_SENSOR": 0, "GPS": 1, "NETWORK": 2, "PASSIVE": 3, "ROAD_SNAPPED_LOCATION_PROVIDER": 4,
        "CUSTOMER_SUPPLIED_LOCATION": 5, "FLEET_ENGINE_LOCATION": 6, "FUSED_LOCATION_PROVIDER": 100,
        "CORE_LOCATION": 200,
    ]

    /// Returns whether a value that was read is the default, or one that no method evaluates.
    func isDefault(_ value: JSONValue) -> Bool {
        switch (self, value) {
        case (.ignored, _): true
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

    /// Reads a value.
    func read(_ value: JSONValue, at path: FieldPath) throws(EngineError) -> JSONValue {
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
        case .integer(let bounds): return .integer(try Self.integer(value, in: bounds, at: path))
        case .number(let bounds): return .number(try Self.number(value, in: bounds, at: path))
        case .name(let names): return .string(try Self.name(value, of: names.enumerated().map { ($0, $1) }, at: path))
        case .sensor: return .string(try Self.sensor(value, at: path))
        case .point: return try Self.point(value, at: path).json
        case .message(let table): return try table.read(value, at: path).json
        case .list(let type): return .array(try Self.list(value, of: type, at: path))
        case .ignored: return value
        }
    }

    private static func integer(
        _ value: JSONValue,
        in bounds: ClosedRange<Int64>,
        at path: FieldPath
    ) throws(EngineError) -> Int64 {
        let number = value.numberValue.flatMap { Int64(exactly: $0) }.flatMap { all.contains($0) ? $0 : nil }
        return try bounds.checked(try number.orMalformed(path, "is not an integer of 32 bits"), at: path)
    }

    private static func number(
        _ value: JSONValue,
        in bounds: ClosedRange<Double>,
        at path: FieldPath
    ) throws(EngineError) -> Double {
        try bounds.checked(try value.numberValue.orMalformed(path, "is not a number"), at: path)
    }

    private static func sensor(_ value: JSONValue, at path: FieldPath) throws(EngineError) -> String {
        let sensor = try name(value, of: sensors.map { (Int($0.value), $0.key) }, at: path)
        guard sensor != "FLEET_ENGINE_LOCATION" else {
            throw .refused(by: .locationSensorReserved, path.full, "is for Fleet Engine only")
        }
        return sensor
    }

    private static func point(_ value: JSONValue, at path: FieldPath) throws(EngineError) -> Point {
        let point = Point(try Tables.latLng.read(value, at: path))
        guard point.isOnEarth else { throw .invalid(path.full, "is not a latitude and longitude") }
        return point
    }

    private static func list(
        _ value: JSONValue,
        of type: FieldType,
        at path: FieldPath
    ) throws(EngineError) -> [JSONValue] {
        var list: [JSONValue] = []
        for (index, element) in try value.arrayValue.orMalformed(path, "is not an array").enumerated() {
            list.append(try type.read(element, at: path.appending(index)))
        }
        return list
    }

    /// Returns the name of an enumeration's value, which is sent as a name or, by Google's libraries, as a number.
    private static func name(
        _ value: JSONValue,
        of names: [(number: Int, name: String)],
        at path: FieldPath
    ) throws(EngineError) -> String {
        let named = names.first { value == .string($0.name) || value == .integer(Int64($0.number)) }
        return try (named?.name).orMalformed(
            path,
            "is not one of \(names.dropFirst().map(\.name).joined(separator: ", "))"
        )
    }
}

extension ClosedRange {
    /// Returns a number that is in the range.
    ///
    /// - Throws: ``EngineError`` that names the field, if it is not.
    fileprivate func checked(_ number: Bound, at path: FieldPath) throws(EngineError) -> Bound {
        guard contains(number) else { throw .invalid(path.full, "must be from \(lowerBound) to \(upperBound)") }
        return number
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
