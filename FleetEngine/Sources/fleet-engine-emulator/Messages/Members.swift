import FleetToken

/// Reads the members of a control request or a seed; `end()` refuses unknown ones.
struct Members {
    /// Where the object is, with a dot at the end: `faults[0].`; empty for the body itself.
    private let path: String
    /// What was not taken yet.
    private(set) var rest: [JSONObject.Member]
    private var known: [String] = []

    /// Creates the members of a body.
    init(_ body: [UInt8]) throws(EngineError) {
        (path, rest) = ("", try JSONObject.parsed(body).members)
    }

    /// Creates the members of an object inside a body.
    init(_ value: JSONValue, at path: String) throws(EngineError) {
        guard let object = value.objectValue else { throw .malformed(path, "is not an object") }
        (self.path, rest) = (path + ".", object.members)
    }

    /// Takes a member; nil if there is none.
    mutating func take(_ name: String) -> JSONValue? {
        known.append(name)
        guard let index = rest.firstIndex(where: { $0.name.hasSameBytes(as: name) }) else { return nil }
        return rest.remove(at: index).value
    }

    mutating func string(_ name: String) throws(EngineError) -> String? {
        try take(name, "is not a string", reading: \.stringValue)
    }

    mutating func bool(_ name: String) throws(EngineError) -> Bool? {
        try take(name, "is not true or false", reading: \.boolValue)
    }

    mutating func array(_ name: String) throws(EngineError) -> [JSONValue]? {
        try take(name, "is not an array", reading: \.arrayValue)
    }

    mutating func integer(_ name: String) throws(EngineError) -> Int64? {
        try take(name, "is not a whole number", reading: \.integerValue)
    }

    mutating func number(_ name: String, in range: ClosedRange<Double>) throws(EngineError) -> Double? {
        try take(name, "is not a number from \(range.lowerBound) to \(range.upperBound)") { value in
            value.numberValue.flatMap { range.contains($0) ? $0 : nil }
        }
    }

    mutating func object(_ name: String) throws(EngineError) -> Members? {
        guard let value = take(name) else { return nil }
        return try Members(value, at: path + name)
    }

    private mutating func take<Value>(
        _ name: String,
        _ problem: String,
        reading read: (JSONValue) -> Value?
    ) throws(EngineError) -> Value? {
        guard let value = take(name) else { return nil }
        guard let read = read(value) else { throw mistake(name, problem) }
        return read
    }

    /// Refuses a member that was not taken.
    func end() throws(EngineError) {
        guard let member = rest.first else { return }
        throw mistake(member.name, "is not known here; there are \(known.joined(separator: ", "))")
    }

    /// Creates the refusal of a member.
    func mistake(_ name: String, _ description: String) -> EngineError { .malformed(self.path(name), description) }

    /// Returns where a member is in the body; with an empty name, where the object is.
    func path(_ name: String) -> String { name.isEmpty ? String(path.dropLast()) : path + name }
}

extension JSONObject {
    /// How many values a body may have.
    private static let maximumValues = 200_000

    /// Returns the object that a body is.
    static func parsed(_ body: [UInt8]) throws(EngineError) -> JSONObject {
        do throws(JSONError) {
            return try JSONParser.parseObject(body, maximumValues: maximumValues)
        } catch {
            throw .malformed(
                error.code == .notAnObject ? "The body is not a JSON object." : "The body is not JSON: \(error)."
            )
        }
    }
}
