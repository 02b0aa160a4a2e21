/// The part of filters (AIP-160) that fleets use: `field = value` with `AND` between.
struct Filter: Sendable {
    private let terms: [(field: String, value: String)]

    /// Creates a filter by parsing it; an empty text matches everything.
    ///
    /// - Throws: ``EngineError`` if it has more than equality and `AND`, or a field that is not one of those given.
    init(_ text: String, fields: Set<String>) throws(EngineError) {
        var terms: [(String, String)] = []
        var words = Self.words(text)[...]
        while let field = words.popFirst() {
            guard words.popFirst() == "=", let value = words.popFirst() else { throw Self.unsupported }
            guard fields.contains(field) || field.hasPrefix("attributes.") else {
                throw .field(.fieldInvalid, "filter", "cannot filter by \(field)")
            }
            terms.append((field, value))
            guard let next = words.popFirst() else { break }
            guard next == "AND", !words.isEmpty else { throw Self.unsupported }
        }
        self.terms = terms
    }

    private static let unsupported = EngineError(
        .methodUnimplemented,
        "The emulator evaluates filters of the form field = value AND field = value only."
    )

    /// Returns whether a resource matches, by the values of its fields; `value` returns nil for a field that is not set.
    func matches(_ value: (_ field: String) -> String?) -> Bool {
        terms.allSatisfy { value($0.field) == $0.value }
    }

    /// Splits at spaces and equals signs; a word in quotation marks is one without them.
    private static func words(_ text: String) -> [String] {
        var words: [String] = []
        var word: String?
        var isQuoted = false
        for character in text {
            switch character {
            case "\"":
                isQuoted.toggle()
                word = word ?? ""
            case " " where !isQuoted, "=" where !isQuoted:
                if let finished = word { words.append(finished) }
                word = nil
                if character == "=" { words.append("=") }
            default: word = (word ?? "") + String(character)
            }
        }
        return words + [word].compactMap(\.self)
    }
}
