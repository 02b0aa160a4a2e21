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
        let comparison = #/([^\s()=!<>:"']+)\s*=\s*(?:"([^"\\]*)"|'([^'\\]*)'|([^\s()=!<>:"']+))\s*(?:(AND)\s+|\z)/#
            .matchingSemantics(.unicodeScalar)
        var rest = text.drop { $0 == " " }
        guard !rest.isEmpty else { return }
        var isLast = false
        while !isLast {
            guard let match = rest.prefixMatch(of: comparison) else { throw Self.unimplemented }
            let (_, field, double, single, word, and) = match.output
            let value = String(double ?? single ?? word ?? "")
            try Self.check(value, isQuoted: word == nil, of: String(field), fields)
            wanted.append((String(field), value))
            isLast = and == nil
            rest = rest[match.range.upperBound...]
        }
    }

    private static var unimplemented: EngineError {
        .refused(
            by: .methodUnimplemented,
            "filter",
            "is not FIELD = VALUE, joined by AND, which is all that the emulator evaluates"
        )
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
            guard !value.utf8.contains(UInt8(ascii: "*")) else { throw Self.unimplemented }
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
