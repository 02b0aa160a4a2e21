/// The members of an object in a request, taken one by one: what is left at the end is a mistake, and is named.
struct Members {
    /// Where the object is, with a dot at the end: `faults[0].`; empty for the body itself.
    private let path: String
    private var rest: [JSON.Member]
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
        guard let members = value.members else { throw .refused(by: .bodyMalformed, path, "is not an object") }
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
        try take(name).map { value throws(EngineError) in
            guard let text = value.string else { throw mistake(name, "is not a string") }
            return text
        }
    }

    mutating func bool(_ name: String) throws(EngineError) -> Bool? {
        try take(name).map { value throws(EngineError) in
            guard case .bool(let bool) = value else { throw mistake(name, "is not true or false") }
            return bool
        }
    }

    mutating func array(_ name: String) throws(EngineError) -> [JSON]? {
        try take(name).map { value throws(EngineError) in
            guard case .array(let elements) = value else { throw mistake(name, "is not an array") }
            return elements
        }
    }

    mutating func object(_ name: String) throws(EngineError) -> Members? {
        try take(name).map { value throws(EngineError) in try Members(value, at: path + name) }
    }

    mutating func integer(_ name: String) throws(EngineError) -> Int64? {
        try take(name).map { value throws(EngineError) in
            guard let integer = value.integer else { throw mistake(name, "is not a whole number") }
            return integer
        }
    }

    mutating func number(_ name: String, in range: ClosedRange<Double>) throws(EngineError) -> Double? {
        try take(name).map { value throws(EngineError) in
            guard case .number(let text) = value, let number = Double(text), range.contains(number) else {
                throw mistake(name, "is not a number from \(range.lowerBound) to \(range.upperBound)")
            }
            return number
        }
    }

    /// Refuses a member that was not taken.
    func end() throws(EngineError) {
        guard let member = rest.first else { return }
        throw mistake(member.name, "is not known here; there are \(known.joined(separator: ", "))")
    }

    /// Creates the refusal of a member.
    func mistake(_ name: String, _ description: String) -> EngineError {
        .refused(by: .bodyMalformed, self.path(name), description)
    }

    /// Returns where a member is in the body; with an empty name, where the object is.
    func path(_ name: String) -> String { name.isEmpty ? String(path.dropLast()) : path + name }
}

extension Optional {
    /// Transforms a value with a function that throws an error of one type.
    fileprivate func map<Result, Failure: Error>(_ body: (Wrapped) throws(Failure) -> Result) throws(Failure) -> Result?
    {
        guard let value = self else { return nil }
        return try body(value)
    }
}
