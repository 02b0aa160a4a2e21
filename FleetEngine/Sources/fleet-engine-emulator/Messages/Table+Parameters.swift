import FleetToken

extension Table {
    /// Parameters that say how to respond, what the caller is, or are for Google's front end.
    private static let ignored: Set<String> = [
        "alt", "callback", "header", "key", "prettyPrint", "quotaUser", "uploadType", "upload_protocol",
    ]

    /// Reads a message from a query's parameters; a name with dots is a field inside another.
    func read(parameters: [(name: String, value: String)]) throws(EngineError) -> Message {
        var message = Message()
        for (name, value) in parameters {
            let path = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            if Tables.unimplemented.contains(path[0].camelCased) { throw .unimplemented(name) }
            guard !name.hasPrefix("$"), !Self.ignored.contains(path[0]) else { continue }
            guard let type = type(of: path[...]) else {
                throw .malformed(name, "is not a query parameter of this method")
            }
            try Self.insert(type.literal(value), as: type, at: path[...], named: name, into: &message)
        }
        return try read(message.json, at: FieldPath(root: ""))
    }

    /// The type of the field at a path; nil if there is none, or it is a message.
    private func type(of path: ArraySlice<String>) -> FieldType? {
        guard let name = path.first, let field = field(name) else { return nil }
        switch field.type {
        case .message(let table): return table.type(of: path.dropFirst())
        case .point: return Tables.latLng.type(of: path.dropFirst())
        default: return path.count == 1 ? field.type : nil
        }
    }

    private static func insert(
        _ value: JSONValue,
        as type: FieldType,
        at path: ArraySlice<String>,
        named name: String,
        into message: inout Message
    ) throws(EngineError) {
        guard let first = path.first?.camelCased else { return }
        if path.count > 1 {
            var inner = message.message(first) ?? Message()
            try insert(value, as: type, at: path.dropFirst(), named: name, into: &inner)
            message[first] = inner.json
        } else if case .list = type {
            message[first] = .array((message[first]?.arrayValue ?? []) + [value])
        } else {
            guard !message.has(first) else { throw .malformed(name, "occurs twice") }
            message[first] = value
        }
    }
}

extension FieldType {
    /// Returns a parameter's text as JSON has it.
    fileprivate func literal(_ text: String) -> JSONValue {
        switch self {
        case .list(let type): type.literal(text)
        case .flag: text == "true" ? .bool(true) : text == "false" ? .bool(false) : .string(text)
        case .name, .sensor: Int64(text).map(JSONValue.integer) ?? .string(text)
        default: .string(text)
        }
    }
}

extension EngineError {
    /// Creates the refusal of a field that the emulator does not evaluate.
    static func unimplemented(_ field: String) -> Self {
        refused(by: .methodUnimplemented, field, "is not implemented by the emulator")
    }
}
