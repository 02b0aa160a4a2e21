import FleetToken

/// A filter of a list: comparisons `FIELD = VALUE`, joined by `AND`, which is what backends send.
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
            let field = try scanner.word()
            try scanner.takeEquals()
            let (value, isQuoted) = try scanner.value()
            try Self.check(value, isQuoted: isQuoted, of: field, fields)
            wanted.append((field, value))
        } while try scanner.takeAnd()
    }

    private static func check(
        _ value: String,
        isQuoted: Bool,
        of field: String,
        _ fields: [String: Kind]
    ) throws(EngineError) {
        let isAttribute = field.hasPrefix("attributes.") && field.utf8.count > "attributes.".utf8.count
        guard let kind = isAttribute ? .text : fields[field] else {
            throw .invalid("filter", "cannot compare \(field)")
        }
        switch kind {
        case .name(let names):
            guard names.contains(value) else { throw .invalid("filter", "cannot be \(field) = \(value)") }
        case .text:
            guard !value.utf8.contains(UInt8(ascii: "*")) else { throw FilterScanner.unimplemented }
            guard !isAttribute || isQuoted || (Double(value) == nil && value != "true" && value != "false") else {
                throw .invalid("filter", "must have \(value) in quotation marks: attributes are strings")
            }
        }
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
        rest = Array(text.utf8).drop { $0 == UInt8(ascii: " ") }
    }

    var isAtEnd: Bool { rest.isEmpty }

    static var unimplemented: EngineError {
        .refused(
            by: .methodUnimplemented,
            "filter",
            "is not FIELD = VALUE, joined by AND, which is all that the emulator evaluates"
        )
    }

    /// Reads up to a space or an operator.
    mutating func word() throws(EngineError) -> String {
        try take(rest.prefix { !" ()=!<>:\"'".utf8.contains($0) }, isQuoted: false)
    }

    /// Reads a word, or what is in quotation marks.
    mutating func value() throws(EngineError) -> (text: String, isQuoted: Bool) {
        guard let quote = rest.first, "\"'".utf8.contains(quote) else { return (try word(), false) }
        rest.removeFirst()
        let text = rest.prefix { $0 != quote && $0 != UInt8(ascii: "\\") }
        guard rest.dropFirst(text.count).first == quote else { throw Self.unimplemented }
        return (try take(text, isQuoted: true), true)
    }

    mutating func takeEquals() throws(EngineError) {
        guard rest.popFirst() == UInt8(ascii: "=") else { throw Self.unimplemented }
        rest = rest.drop { $0 == UInt8(ascii: " ") }
    }

    /// Takes the word `AND`; false at the end.
    mutating func takeAnd() throws(EngineError) -> Bool {
        guard !isAtEnd else { return false }
        guard try word() == "AND" else { throw Self.unimplemented }
        return true
    }

    private mutating func take(_ text: ArraySlice<UInt8>, isQuoted: Bool) throws(EngineError) -> String {
        guard isQuoted || !text.isEmpty else { throw Self.unimplemented }
        rest = rest.dropFirst(text.count + (isQuoted ? 1 : 0)).drop { $0 == UInt8(ascii: " ") }
        return String(decoding: text, as: UTF8.self)
    }
}
