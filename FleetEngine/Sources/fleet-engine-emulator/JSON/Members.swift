/// The members of an object in a request, taken one by one: what is left at the end is a mistake, and is named.
struct Members {
    /// Where the object is, with a dot at the end: `faults[0].`; empty for the body itself.
    private let path: String
    /// What was not taken yet.
    private(set) var rest: [JSON.Member]
    private var known: [String] = []

    /// Creates the members of a body.
    init(_ body: [UInt8]) throws(EngineError) {
        let value: JSON
        do {
            value = try JSON(parsing: body)
        } catch {
            throw EngineError(.bodyMalformed, "The body is not JSON: \(error).")
        }
        guard let members = value.members else { throw EngineError(.bodyMalformed, "The body is not a JSON object.") }
        (path, rest) = ("", members)
    }

    /// Creates the members of an object inside a body.
    init(_ value: JSON, at path: String) throws(EngineError) {
        guard let members = value.members else { throw .malformed(path, "is not an object") }
        (self.path, rest) = (path + ".", members)
    }

    /// Takes a member; nil if there is none.
    mutating func take(_ name: String) -> JSON? {
        known.append(name)
        guard let index = rest.firstIndex(where: { $0.name.hasSameBytes(as: name) }) else { return nil }
        return rest.remove(at: index).value
    }

    /// Takes all members that are left.
    mutating func takeAll() -> [JSON.Member] {
        defer { rest = [] }
        return rest
    }

    mutating func string(_ name: String) throws(EngineError) -> String? {
        try take(name, "is not a string", reading: \.string)
    }

    mutating func bool(_ name: String) throws(EngineError) -> Bool? {
        try take(name, "is not true or false", reading: \.bool)
    }

    mutating func array(_ name: String) throws(EngineError) -> [JSON]? {
        try take(name, "is not an array", reading: \.elements)
    }

    mutating func integer(_ name: String) throws(EngineError) -> Int64? {
        try take(name, "is not a whole number", reading: \.integer)
    }

    mutating func number(_ name: String, in range: ClosedRange<Double>) throws(EngineError) -> Double? {
        try take(name, "is not a number from \(range.lowerBound) to \(range.upperBound)") { value in
            guard case .number(let text) = value, let number = Double(text) else { return nil }
            return range.contains(number) ? number : nil
        }
    }

    mutating func object(_ name: String) throws(EngineError) -> Members? {
        guard let value = take(name) else { return nil }
        return try Members(value, at: path + name)
    }

    private mutating func take<Value>(
        _ name: String,
        _ problem: String,
        reading read: (JSON) -> Value?
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
    func mistake(_ name: String, _ description: String) -> EngineError {
        .malformed(self.path(name), description)
    }

    /// Returns where a member is in the body; with an empty name, where the object is.
    func path(_ name: String) -> String { name.isEmpty ? String(path.dropLast()) : path + name }
}
