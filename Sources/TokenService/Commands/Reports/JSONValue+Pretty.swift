package import FleetToken

extension JSONValue {
    /// Returns the value formatted for people: one member or element per line, two spaces per level.
    ///
    /// Strings are escaped as by ``JSONWriter``, so that they are visible and harmless on a terminal. The first line is
    /// never indented, so that the text can be nested `level` levels deep in other text.
    package func pretty(level: Int = 0) -> String {
        switch self {
        case .object(let object) where !object.members.isEmpty:
            let members = object.members.map {
                "\(JSONValue.string($0.name).compact): \($0.value.pretty(level: level + 1))"
            }
            return Self.lines("{", members, close: "}", level: level)
        case .array(let elements) where !elements.isEmpty:
            return Self.lines("[", elements.map { $0.pretty(level: level + 1) }, close: "]", level: level)
        default:
            return compact
        }
    }

    private var compact: String {
        var writer = JSONWriter()
        writer.value(self)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private static func lines(_ open: String, _ lines: [String], close: String, level: Int) -> String {
        let margin = String(repeating: "  ", count: level)
        return "\(open)\n" + lines.map { "\(margin)  \($0)" }.joined(separator: ",\n") + "\n\(margin)\(close)"
    }
}
