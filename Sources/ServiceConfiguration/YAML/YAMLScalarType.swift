/// The type of a scalar, as YAML 1.1 has it (https://yaml.org/type/).
enum YAMLScalarType: Hashable, Sendable {
    case text
    /// A number without fraction and exponent, in any notation.
    case integer
    /// `true`, `yes`, `on` and their like.
    case bool
    /// A date, or a date and a time.
    case timestamp
    /// Any other type: a number with a fraction, null, a merge key, or what a tag names.
    case other

    /// Creates the type that a tag names; the tag `!` names text.
    init(tag: String) {
        guard tag != "!" else {
            self = .text
            return
        }
        switch tag.utf8.starts(with: Self.prefix.utf8) ? String(tag.dropFirst(Self.prefix.count)) : "" {
        case "str": self = .text
        case "int": self = .integer
        case "bool": self = .bool
        case "timestamp": self = .timestamp
        default: self = .other
        }
    }

    private static let prefix = "tag:yaml.org,2002:"

    /// Creates the type of a text that has neither quotes nor a tag.
    init(plain text: String) {
        var scan = YAMLScan(text)
        self =
            switch true {
            case Self.booleans.contains(text): .bool
            case scan.isInteger(): .integer
            case Self.others.contains(text), scan.isFraction(): .other
            case scan.isTimestamp(): .timestamp
            default: .text
            }
    }

    // Swift's equality of texts is that of bytes where one is ASCII without letters that have other spellings.
    private static let booleans: Set<String> = [
        "yes", "Yes", "YES", "no", "No", "NO", "true", "True", "TRUE", "false", "False", "FALSE", "on", "On", "ON",
        "off", "Off", "OFF",
    ]
    private static let others: Set<String> = [
        "", "~", "null", "Null", "NULL", "<<", "=", ".inf", ".Inf", ".INF", ".nan", ".NaN", ".NAN",
    ]
}

/// Reads the notations of numbers and times, byte by byte.
private struct YAMLScan {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    private var isAtEnd: Bool { position == bytes.count }

    /// Reads bytes of a set.
    ///
    /// - Returns: Whether there were so many.
    private mutating func skip(_ set: String, _ count: ClosedRange<Int> = 1...1) -> Bool {
        var read = 0
        while read < count.upperBound, position < bytes.count, set.utf8.contains(bytes[position]) {
            position += 1
            read += 1
        }
        return read >= count.lowerBound
    }

    /// Begins again, after the sign if there is one.
    private mutating func begin() {
        position = 0
        _ = skip("+-")
    }

    private static let digits = "0123456789"
    private static let any = 0...Int.max
    private static let some = 1...Int.max

    mutating func isInteger() -> Bool {
        begin()
        let start = position
        if skip("0") {
            if isAtEnd { return true }
            let other = position
            if skip("b"), skip("01_", Self.some), isAtEnd { return true }
            position = other
            if skip("x"), skip("0123456789abcdefABCDEF_", Self.some), isAtEnd { return true }
            position = other
            _ = skip("o")
            return skip("01234567_", Self.some) && isAtEnd
        }
        position = start
        guard skip("123456789"), skip("0123456789_", Self.any) else { return false }
        return isAtEnd || skipSixties() && isAtEnd
    }

    /// Reads `:59` as often as it is there.
    private mutating func skipSixties() -> Bool {
        var isThere = false
        while skip(":") {
            let start = position
            if !(skip("012345") && skip(Self.digits)) {
                position = start
                guard skip(Self.digits) else { return false }
            }
            isThere = true
        }
        return isThere
    }

    mutating func isFraction() -> Bool {
        begin()
        let start = position
        if skip(Self.digits), skip("0123456789_", Self.any) {
            let other = position
            if skip(".") { _ = skip("0123456789_", Self.any) }
            if isAtEnd || skip("eE") && skip("+-", 0...1) && skip(Self.digits, Self.some) && isAtEnd { return true }
            position = other
            return skipSixties() && skip(".") && skip("0123456789_", Self.any) && isAtEnd
        }
        position = start
        guard skip(".") else { return false }
        // Without a sign.
        if start == 0, skip("0123456789_", Self.some) {
            return isAtEnd || skip("eE") && skip("+-") && skip(Self.digits, Self.some) && isAtEnd
        }
        return start == 1 && ["inf", "Inf", "INF"].contains { $0.utf8.elementsEqual(bytes[2...]) }
    }

    mutating func isTimestamp() -> Bool {
        position = 0
        guard skip(Self.digits, 4...4), skip("-") else { return false }
        let month = position
        if skip(Self.digits, 2...2), skip("-"), skip(Self.digits, 2...2), isAtEnd { return true }
        position = month
        guard skip(Self.digits, 1...2), skip("-"), skip(Self.digits, 1...2), skip("Tt") || skip(" \t", Self.some),
            skip(Self.digits, 1...2), skip(":"), skip(Self.digits, 2...2), skip(":"), skip(Self.digits, 2...2)
        else { return false }
        if skip(".") { _ = skip(Self.digits, Self.any) }
        if isAtEnd { return true }
        _ = skip(" \t", Self.any)
        if skip("Z") { return isAtEnd }
        guard skip("+-"), skip(Self.digits, 1...2) else { return false }
        return isAtEnd || skip(":") && skip(Self.digits, 2...2) && isAtEnd
    }
}
