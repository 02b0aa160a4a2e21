import SwiftProtobuf

/// A request of the REST API, taken apart.
struct RESTRequest: Sendable {
    /// Parameters that say how to answer, or are for Google's front end.
    private static let ignored: Set<String> = [
        "alt", "callback", "key", "prettyPrint", "quotaUser", "uploadType", "upload_protocol",
    ]

    let call: Call
    /// What the variable of the path is.
    let name: String
    let parameters: [(name: String, value: String)]
    let body: [UInt8]

    /// Whether enums are to be numbers in the answer, as Google's client libraries ask for.
    var wantsNumbers: Bool {
        parameters.contains { $0.name.hasSuffix("alt") && $0.value.contains("enum-encoding=int") }
    }

    /// Creates a message from the query's parameters, each as proto3 JSON reads it.
    func message<M: Message>(_ type: M.Type) throws(EngineError) -> M {
        var message = M()
        for (name, value) in parameters {
            guard name != "fields", name != "$fields" else {
                throw EngineError.field(.methodUnimplemented, name, "is not implemented: all fields are returned")
            }
            guard !name.hasPrefix("$"), !Self.ignored.contains(name) else { continue }
            guard let field = Self.field(name, value, of: type), (try? message.merge(serializedBytes: field)) != nil
            else {
                throw EngineError.field(.bodyMalformed, name, "is not a query parameter with this value")
            }
        }
        return message
    }

    /// Creates a message with one field, and returns its bytes; nil if the text is no value of it.
    ///
    /// The text is read as a JSON string or, for numbers and Booleans, as a literal; for a repeated field as one element.
    private static func field<M: Message>(_ name: String, _ value: String, of type: M.Type) -> [UInt8]? {
        let isMask = name == "updateMask" || name == "update_mask"
        let string = JSON.string(isMask ? camelCase(value) : value)
        let isLiteral = value == "true" || value == "false" || Int64(value) != nil
        for value in [string] + (isLiteral ? [.number(value)] : []) {
            for json in [value, [value]] {
                if let bytes: [UInt8] = try? M(jsonUTF8Bytes: object(name, json).bytes).serializedBytes() {
                    return bytes
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

    /// Returns a mask with names in camel case, as JSON has them.
    private static func camelCase(_ mask: String) -> String {
        var isUpper = false
        var bytes: [UInt8] = []
        for byte in mask.utf8 {
            guard byte != UInt8(ascii: "_") else {
                isUpper = true
                continue
            }
            bytes.append(isUpper && (0x61...0x7A).contains(byte) ? byte & 0xDF : byte)
            isUpper = false
        }
        return String(decoding: bytes, as: UTF8.self)
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
        // The message's own parser does not see names that occur twice. What it accepts otherwise is the message.
        if value.members != nil, let message = try? M(jsonUTF8Bytes: body) { return message }
        return try M(strict: value)
    }
}
