import FleetToken

/// A filter of a list: comparisons of fields for equality, with `AND` between them, which is what backends send.
///
/// AIP-160 has more, which is refused as not implemented.
struct Filter: Sendable {
    /// What a field of the list holds.
    enum Kind: Sendable {
        case text
        /// One of these names.
        case name([String])
    }

    private var wanted: [(field: String, value: String)] = []

    /// Creates a filter by parsing it; an empty text matches everything.
    ///
    /// - Parameters:
    ///   - text: The filter.
    ///   - fields: The fields beside attributes, which are always texts.
    /// - Throws: ``EngineError`` that names the filter and what is wrong with it.
    init(_ text: String, fields: [String: Kind] = [:]) throws(EngineError) {
        var scanner = FilterScanner(text)
        guard !scanner.isAtEnd else { return }
        repeat {
            let field = try scanner.word().text
            try scanner.takeEquals(after: field)
            let value = try scanner.word()
            wanted.append((field, try Self.check(value.text, isQuoted: value.isQuoted, of: field, fields)))
        } while try scanner.takeAnd()
    }

    private static func check(
        _ value: String,
        isQuoted: Bool,
        of field: String,
        _ fields: [String: Kind]
    ) throws(EngineError) -> String {
        let isAttribute = field.hasPrefix("attributes.") && field.utf8.count > "attributes.".utf8.count
        guard let kind = isAttribute ? .text : fields[field] else {
            throw .invalid("filter", "cannot compare \(field)")
        }
        switch kind {
        case .name(let names):
            guard names.contains(value) else { throw .invalid("filter", "cannot be \(field) = \(value)") }
        case .text:
            guard !value.utf8.contains(UInt8(ascii: "*")) else { throw FilterScanner.unimplemented("the wildcard *") }
            guard !isAttribute || isQuoted || (Double(value) == nil && value != "true" && value != "false") else {
                throw .invalid("filter", "must have \(value) in quotation marks: attributes are strings")
            }
        }
        return value
    }

    /// Returns whether a resource matches, by the values of its fields; `value` returns nil for a field that is not set.
    func matches(_ value: (_ field: String) -> String?) -> Bool {
        wanted.allSatisfy { field, wanted in value(field)?.hasSameBytes(as: wanted) ?? false }
    }
}

/// Reads the words of a filter.
private struct FilterScanner {
    private var rest: ArraySlice<UInt8>

    init(_ text: String) {
        rest = Array(text.utf8)[...]
        skipSpace()
    }

    var isAtEnd: Bool { rest.isEmpty }

    static func unimplemented(_ what: String) -> EngineError {
        .refused(by: .methodUnimplemented, "filter", "has \(what), which the emulator does not evaluate")
    }

    private mutating func skipSpace() {
        rest = rest.drop { $0 == UInt8(ascii: " ") }
    }

    /// Reads up to a space or an operator; what is in quotation marks belongs to the word, and `\` is before a mark there.
    mutating func word() throws(EngineError) -> (text: String, isQuoted: Bool) {
        if let first = rest.first, "(-".utf8.contains(first) { throw Self.unimplemented("parentheses or a minus") }
        var bytes: [UInt8] = []
        var quote: UInt8?
        var isQuoted = false
        while let byte = rest.first, quote != nil || !" ()=!<>:".utf8.contains(byte) {
            rest.removeFirst()
            if quote != nil, byte == UInt8(ascii: "\\"), let next = rest.popFirst() {
                guard next == quote || next == byte else { throw .invalid("filter", "has \\ before another character") }
                bytes.append(next)
            } else if byte == quote {
                quote = nil
            } else if quote == nil, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
                isQuoted = true
            } else {
                bytes.append(byte)
            }
        }
        guard quote == nil else { throw .invalid("filter", "has no closing quotation mark") }
        guard !bytes.isEmpty || isQuoted else { throw .invalid("filter", "ends before a field or a value") }
        skipSpace()
        return (String(decoding: bytes, as: UTF8.self), isQuoted)
    }

    mutating func takeEquals(after field: String) throws(EngineError) {
        if let first = rest.first, "!<>:".utf8.contains(first) {
            throw Self.unimplemented("an operator other than = and AND")
        }
        guard rest.popFirst() == UInt8(ascii: "=") else { throw .invalid("filter", "has no operator after \(field)") }
        skipSpace()
    }

    /// Takes the word `AND`; false at the end.
    mutating func takeAnd() throws(EngineError) -> Bool {
        guard !rest.isEmpty else { return false }
        guard rest.first != UInt8(ascii: ")") else { throw .invalid("filter", "has a parenthesis too many") }
        let next = try word().text
        guard next != "OR" else { throw Self.unimplemented("OR") }
        guard next == "AND" else { throw .invalid("filter", "has no AND between two comparisons") }
        return true
    }
}
