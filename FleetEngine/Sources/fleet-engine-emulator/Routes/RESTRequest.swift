import SwiftProtobuf

/// A request of the REST API, taken apart.
struct RESTRequest: Sendable {
    /// Parameters that say how to response, or are for Google's front end.
    private static let ignored: Set<String> = [
        "alt", "callback", "key", "prettyPrint", "quotaUser", "uploadType", "upload_protocol",
    ]

    let call: Call
    /// What the variable of the path is.
    let name: String
    let parameters: [(name: String, value: String)]
    let body: [UInt8]

    /// Whether enums are to be numbers in the response, as Google's client libraries ask for.
    var wantsNumbers: Bool {
        parameters.contains { $0.name.hasSuffix("alt") && $0.value.contains("enum-encoding=int") }
    }

    /// Creates a message from the query's parameters, each as proto3 JSON reads it.
    func message<M: Message>(_ type: M.Type) throws(EngineError) -> M {
        var message = M()
        var known: Set<String> = []
        for (name, value) in parameters {
            guard name != "fields", name != "$fields" else {
                throw EngineError.refused(by: .methodUnimplemented, name, "is not implemented: all fields are returned")
            }
            guard !name.hasPrefix("$"), !Self.ignored.contains(name) else { continue }
            guard let field = Self.field(name, value, of: type),
                (try? message.merge(serializedBytes: field.bytes)) != nil
            else {
                throw EngineError.malformed(name, "is not a query parameter with this value")
            }
            guard known.insert(name.camelCased).inserted || field.isRepeated else {
                throw EngineError.malformed(name, "occurs twice")
            }
        }
        return message
    }

    /// Creates a message with one field, and returns its bytes; nil if the text is no value of it.
    ///
    /// The text is read as a JSON string or, for numbers and Booleans, as a literal; for a repeated field as one element.
    private static func field<M: Message>(
        _ name: String,
        _ value: String,
        of type: M.Type
    ) -> (bytes: [UInt8], isRepeated: Bool)? {
        let string = JSON.string(name.camelCased == "updateMask" ? value.camelCased : value)
        let isLiteral = value == "true" || value == "false" || Int64(value) != nil
        for value in [string] + (isLiteral ? [.number(value)] : []) {
            for (json, isRepeated) in [(value, false), ([value], true)] {
                if let bytes: [UInt8] = try? M(jsonUTF8Bytes: object(name, json).bytes).serializedBytes() {
                    return (bytes, isRepeated)
                }
            }
        }
        return nil
    }

    /// Returns an object with one member; a name with dots is one inside another.
    private static func object(_ name: String, _ value: JSON) -> JSON {
        name.split(separator: ".").reversed().reduce(value) { value, name in
            .object([JSON.Member(name: String(name), value: value)])
        }
    }

    /// Decodes the body.
    func decoded<M: Message>(_ type: M.Type) throws(EngineError) -> M {
        guard !body.isEmpty else { return M() }
        let value: JSON
        do {
            value = try JSON(parsing: body)
        } catch {
            throw EngineError(.bodyMalformed, "The body is not JSON: \(error).")
        }
        return try M(strict: value)
    }
}
