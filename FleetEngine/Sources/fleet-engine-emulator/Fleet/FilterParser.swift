import SwiftProtobuf

/// A recursive-descent parser of filters.
struct FilterParser {
    /// How many comparisons a filter may have.
    private static let maximumRestrictions = 50

    private var rest: ArraySlice<UInt8>
    private let fields: [String: Filter.Kind]
    private var restrictions = 0

    init(_ text: String, fields: [String: Filter.Kind]) {
        rest = Array(text.utf8)[...]
        self.fields = fields
    }

    /// Parses the whole filter.
    mutating func parse() throws(EngineError) -> Filter.Expression {
        skipSpace()
        guard !rest.isEmpty else { return .all([]) }
        let expression = try expression(depth: 0)
        guard rest.isEmpty else { throw Self.invalid("has a parenthesis too many") }
        return expression
    }

    /// `OR` binds more tightly than `AND`.
    private mutating func expression(depth: Int) throws(EngineError) -> Filter.Expression {
        guard depth < 16 else { throw Self.invalid("has more than 16 levels of parentheses") }
        var all: [Filter.Expression] = []
        repeat {
            var any = [try term(depth)]
            while keyword("OR") { any.append(try term(depth)) }
            all.append(any.count == 1 ? any[0] : .any(any))
        } while keyword("AND")
        guard rest.isEmpty || rest.first == UInt8(ascii: ")") else {
            throw Self.invalid("has neither AND nor OR between two comparisons")
        }
        return all.count == 1 ? all[0] : .all(all)
    }

    private mutating func term(_ depth: Int) throws(EngineError) -> Filter.Expression {
        if keyword("NOT") || skip("-") { return .not(try term(depth)) }
        guard skip("(") else { return try restriction() }
        let inner = try expression(depth: depth + 1)
        guard skip(")") else { throw Self.invalid("has no closing parenthesis") }
        return inner
    }

    private mutating func restriction() throws(EngineError) -> Filter.Expression {
        restrictions += 1
        guard restrictions <= Self.maximumRestrictions else {
            throw Self.invalid("has more than \(Self.maximumRestrictions) restrictions")
        }
        let field = try word(until: " ()=!<>:").text
        skipSpace()
        guard rest.first != UInt8(ascii: ":") else {
            throw EngineError(.methodUnimplemented, "The emulator does not evaluate the operator : of filters.")
        }
        guard let comparator = Filter.Comparator.allCases.first(where: { skip($0.rawValue) }) else {
            throw Self.invalid("has no operator after \(field)")
        }
        skipSpace()
        let value = try word(until: " ()")
        skipSpace()
        return .compare(field: field, comparator, try read(value, of: field, comparator))
    }

    /// Reads a value as its field's kind.
    private func read(
        _ value: (text: String, isQuoted: Bool),
        of field: String,
        _ comparator: Filter.Comparator
    ) throws(EngineError) -> Filter.Value {
        let isAttribute = field.hasPrefix("attributes.") && field.utf8.count > "attributes.".utf8.count
        guard let kind = isAttribute ? .text : fields[field] else { throw Self.invalid("cannot compare \(field)") }
        switch kind {
        case .text:
            guard !value.text.utf8.contains(UInt8(ascii: "*")) else {
                throw EngineError(.methodUnimplemented, "The emulator does not evaluate the wildcard * of filters.")
            }
            let isOther = Double(value.text) != nil || value.text == "true" || value.text == "false"
            guard !isAttribute || value.isQuoted || !isOther else {
                throw Self.invalid("must have \(value.text) in quotation marks: attributes are strings")
            }
            return .text(value.text)
        case .name(let names):
            guard names.contains(value.text) else { throw Self.invalid("cannot be \(field) = \(value.text)") }
            guard comparator == .equal || comparator == .notEqual else {
                throw Self.invalid("cannot compare \(field) with \(comparator.rawValue)")
            }
            return .text(value.text)
        case .number:
            guard let number = Double(value.text) else { throw Self.invalid("must have a number for \(field)") }
            return .number(number)
        case .time:
            guard let time = try? Timestamp(jsonString: "\"\(value.text)\"") else {
                throw Self.invalid("must have a time such as 2026-11-23T15:00:00Z for \(field)")
            }
            return .number(time.inSeconds)
        }
    }

    /// Reads up to one of some characters; those in quotation marks belong to the word, and `\` is before a quotation mark there.
    private mutating func word(until end: String) throws(EngineError) -> (text: String, isQuoted: Bool) {
        var bytes: [UInt8] = []
        var quote: UInt8?
        var isQuoted = false
        while let byte = rest.first, quote != nil || !end.utf8.contains(byte) {
            rest.removeFirst()
            if quote != nil, byte == UInt8(ascii: "\\"), let next = rest.popFirst() {
                guard next == quote || next == byte else { throw Self.invalid("has \\ before another character") }
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
        guard quote == nil else { throw Self.invalid("has no closing quotation mark") }
        guard !bytes.isEmpty || isQuoted else { throw Self.invalid("ends before a field or a value") }
        return (String(decoding: bytes, as: UTF8.self), isQuoted)
    }

    private mutating func skipSpace() {
        rest = rest.drop { $0 == UInt8(ascii: " ") }
    }

    /// Skips a text, and the space around it.
    private mutating func skip(_ text: String) -> Bool {
        skipSpace()
        guard rest.starts(with: text.utf8) else { return false }
        rest = rest.dropFirst(text.utf8.count)
        skipSpace()
        return true
    }

    /// Skips a word that a space or a parenthesis follows.
    private mutating func keyword(_ word: String) -> Bool {
        skipSpace()
        guard rest.starts(with: word.utf8), let next = rest.dropFirst(word.utf8.count).first,
            next == UInt8(ascii: " ") || next == UInt8(ascii: "(")
        else { return false }
        rest = rest.dropFirst(word.utf8.count)
        skipSpace()
        return true
    }

    private static func invalid(_ problem: String) -> EngineError { .invalid("filter", problem) }
}
