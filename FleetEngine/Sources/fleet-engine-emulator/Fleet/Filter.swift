/// A filter of a list (AIP-160): comparisons of fields, with `AND`, `OR`, `NOT` and parentheses.
struct Filter: Sendable {
    /// What a field holds, and how it is compared.
    enum Kind: Sendable {
        /// Compared as bytes.
        case text
        /// One of these names, compared with `=` and `!=`.
        case name([String])
        case number
        /// A time, as RFC 3339 writes it.
        case time
    }

    /// A value of a resource.
    enum Value: Sendable {
        case text(String)
        case number(Double)
    }

    /// An operator, by how it is written.
    enum Comparator: String, CaseIterable, Sendable {
        // The longer come first, because one begins with another.
        case notEqual = "!="
        case lessOrEqual = "<="
        case greaterOrEqual = ">="
        case equal = "="
        case less = "<"
        case greater = ">"
    }

    indirect enum Expression: Sendable {
        case all([Expression])
        case any([Expression])
        case not(Expression)
        case compare(field: String, Comparator, Value)
    }

    private let expression: Expression

    /// Creates a filter by parsing it; an empty text matches everything.
    ///
    /// - Parameters:
    ///   - text: The filter.
    ///   - fields: The fields beside attributes, which are always texts.
    /// - Throws: ``EngineError`` that names the filter and what is wrong with it.
    init(_ text: String, fields: [String: Kind] = [:]) throws(EngineError) {
        var parser = FilterParser(text, fields: fields)
        expression = try parser.parse()
    }

    /// Returns whether a resource matches, by the values of its fields; `value` returns nil for a field that is not set.
    func matches(_ value: (_ field: String) -> Value?) -> Bool {
        Self.matches(expression, value)
    }

    private static func matches(_ expression: Expression, _ value: (String) -> Value?) -> Bool {
        switch expression {
        case .all(let parts): parts.allSatisfy { matches($0, value) }
        case .any(let parts): parts.contains { matches($0, value) }
        case .not(let part): !matches(part, value)
        case .compare(let field, let comparator, let wanted):
            compare(value(field), wanted).map(comparator.accepts) ?? (comparator == .notEqual)
        }
    }

    /// Returns -1, 0 or 1; nil if there is no value, or one of another kind.
    private static func compare(_ value: Value?, _ other: Value) -> Int? {
        switch (value, other) {
        case (.text(let one)?, .text(let two)):
            one.hasSameBytes(as: two) ? 0 : one.utf8.lexicographicallyPrecedes(two.utf8) ? -1 : 1
        case (.number(let one)?, .number(let two)): one < two ? -1 : one > two ? 1 : 0
        default: nil
        }
    }
}

extension Filter.Comparator {
    /// Returns whether the order of two values is what the operator asks.
    fileprivate func accepts(_ order: Int) -> Bool {
        switch self {
        case .equal: order == 0
        case .notEqual: order != 0
        case .less: order < 0
        case .lessOrEqual: order <= 0
        case .greater: order > 0
        case .greaterOrEqual: order >= 0
        }
    }
}
