import FleetToken

/// What a message of the API may have: a line for each field, with its type, its bounds and who may set it.
struct Table: Sendable {
    /// A line of the table.
    struct Field: Sendable {
        /// The name in JSON.
        let name: String
        let type: FieldType
        let use: Use

        init(_ name: String, _ type: FieldType, _ use: Use = []) {
            self.name = name
            self.type = type
            self.use = use
        }
    }

    /// Who sets a field, and when.
    struct Use: OptionSet, Sendable {
        let rawValue: Int

        /// Only responses have it.
        static let output = Self(rawValue: 1)
        /// Only requests have it: it is checked, and not kept.
        static let input = Self(rawValue: 2)
        /// It may be set when the resource is created.
        static let creation = Self(rawValue: 4)
        /// A driver's device may set it.
        static let report = Self(rawValue: 8)
        /// It never changes.
        static let fixed = Self(rawValue: 16)
        /// Of all such fields of a message, one at most is set: a member of a oneof.
        static let choice = Self(rawValue: 32)
        /// Its default value differs from none: a wrapper message.
        static let presence = Self(rawValue: 64)
    }

    /// What errors call a message of this type, such as `trip`; empty for a request.
    let name: String
    let fields: [Field]

    init(_ name: String = "", _ fields: [Field]) {
        self.name = name
        self.fields = fields
    }

    /// Returns the line of a field by its name in either spelling.
    func field(_ name: String) -> Field? {
        let camelCased = name.camelCased
        return fields.first { $0.name.hasSameBytes(as: camelCased) }
    }

    /// The names of the fields with a use.
    func names(_ use: Use) -> Set<String> { Set(fields.filter { $0.use.contains(use) }.map(\.name)) }

    /// Reads a body, which is an object.
    func read(body: [UInt8]) throws(EngineError) -> Message {
        try read(.object(try JSONObject.parsed(body)), at: FieldPath(root: ""))
    }

    /// Reads a message strictly: an unknown field, one that occurs in both spellings, and a value of another type or out of
    /// its bounds is refused.
    func read(_ value: JSONValue, at path: FieldPath) throws(EngineError) -> Message {
        guard let members = value.objectValue?.members else {
            throw path.isRoot ? .malformed("The body is not a JSON object.") : .malformed(path.text, "is not an object")
        }
        var message = Message()
        var known: Set<String> = []
        for member in members {
            let path = path.appending(member.name)
            guard let field = field(member.name) else { throw .malformed(path.text, "is not a field") }
            guard known.insert(field.name).inserted else {
                throw .malformed(path.text, "occurs in both spellings of its name")
            }
            guard member.value != .null else { continue }
            let value = try field.type.read(member.value, at: path)
            // Without presence, a default value counts as absent.
            guard !field.use.isDisjoint(with: [.presence, .choice]) || !field.type.isDefault(value) else { continue }
            message[field.name] = value
        }
        let chosen = fields.filter { $0.use.contains(.choice) && message.has($0.name) }
        guard chosen.count < 2 else {
            throw .malformed(path.appending(chosen[1].name).text, "cannot be set beside \(chosen[0].name)")
        }
        return message
    }
}
