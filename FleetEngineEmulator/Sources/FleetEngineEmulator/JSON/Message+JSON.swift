import SwiftProtobuf

extension Message {
    /// Creates a message from proto3 JSON.
    ///
    /// - Parameters:
    ///   - value: The JSON.
    ///   - path: Where the value is in a body; empty for the body itself.
    /// - Throws: ``EngineError`` that names the first field which is unknown or has another type.
    init(strict value: JSON, at path: String = "") throws(EngineError) {
        do {
            try self.init(jsonUTF8Bytes: value.bytes)
        } catch {
            guard value.members != nil else {
                throw EngineError(.bodyMalformed, "\(path.isEmpty ? "The body" : path) is not a JSON object.")
            }
            let field = [path, Self.mistake(in: value) { $0 } ?? ""].filter { !$0.isEmpty }.joined(separator: ".")
            throw EngineError.field(.bodyMalformed, field, "is unknown, or its value has another type or range")
        }
    }

    /// Returns the path of the first value that keeps an object from being this message; nil if there is none.
    ///
    /// The message's own parser says what is wrong, and not where. It is asked about each value alone.
    private static func mistake(in value: JSON, _ whole: (JSON) -> JSON) -> String? {
        func isValid(_ part: JSON) -> Bool { (try? Self(jsonUTF8Bytes: whole(part).bytes)) != nil }
        switch value {
        case .object(let members) where isValid([:]):
            for member in members where !isValid(.object([member])) {
                let inner = mistake(in: member.value) { whole(.object([JSON.Member(name: member.name, value: $0)])) }
                return inner.map { $0.hasPrefix("[") ? member.name + $0 : "\(member.name).\($0)" } ?? member.name
            }
        case .array(let elements) where isValid([]):
            for (index, element) in elements.enumerated() where !isValid([element]) {
                let inner = mistake(in: element) { whole([$0]) }
                return "[\(index)]" + (inner.map { ".\($0)" } ?? "")
            }
        default: break
        }
        return nil
    }
}
