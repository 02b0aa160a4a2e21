import FleetToken
import StrictCoding

/// Reads a pattern's text.
struct IDPatternParser {
    /// The maximum length of a text in characters.
    static let maximumLength = 512
    /// The maximum depth of groups.
    static let maximumDepth = 8
    /// How many bytes a pattern may name, with repetitions written out: an automaton has no more positions, and two of
    /// them are needed to tell whether the pattern matches every ID.
    static let maximumSize = PositionSet.capacity - 2

    private let bytes: [UInt8]
    private var index = 0
    private var depth = 0

    private init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// Reads a whole text.
    ///
    /// - Throws: ``IDPatternError`` with the position of the first error.
    static func parse(_ text: String) throws(IDPatternError) -> IDPatternSyntax {
        guard text.utf8.count <= maximumLength else {
            throw IDPatternError(position: maximumLength + 1, "it is too long: use at most \(maximumLength) characters")
        }
        var parser = Self(text)
        let syntax = try parser.alternatives()
        guard parser.index == parser.bytes.count else {
            throw parser.failure("a ) has no ( before it: write [)] for the character itself")
        }
        guard syntax.size <= maximumSize else { throw tooLarge(at: 0) }
        return syntax
    }

    private func failure(_ message: String) -> IDPatternError {
        IDPatternError(position: index + 1, message)
    }

    private static func tooLarge(at index: Int) -> IDPatternError {
        IDPatternError(
            position: index + 1,
            "it is too large: with repetitions written out it may name at most \(maximumSize) characters"
        )
    }

    private var peek: UInt8? {
        index < bytes.count ? bytes[index] : nil
    }

    private var peekSecond: UInt8? {
        index + 1 < bytes.count ? bytes[index + 1] : nil
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    private mutating func alternatives() throws(IDPatternError) -> IDPatternSyntax {
        var parts = [try sequence()]
        while skip("|") {
            parts.append(try sequence())
        }
        return parts.count == 1 ? parts[0] : .alternatives(parts)
    }

    private mutating func sequence() throws(IDPatternError) -> IDPatternSyntax {
        var parts: [IDPatternSyntax] = []
        while let byte = peek, byte != UInt8(ascii: "|"), byte != UInt8(ascii: ")") {
            parts.append(try quantified(try atom(byte)))
        }
        guard !parts.isEmpty else {
            throw failure("there is nothing to match: name the characters, or write ? after a group that may be absent")
        }
        return parts.count == 1 ? parts[0] : .sequence(parts)
    }

    private mutating func atom(_ byte: UInt8) throws(IDPatternError) -> IDPatternSyntax {
        switch byte {
        case UInt8(ascii: "("): return try group()
        case UInt8(ascii: "["): return try characterClass()
        default:
            if let hint = Self.hint(for: byte) { throw failure(hint) }
            index += 1
            return .byte([byte])
        }
    }

    private mutating func group() throws(IDPatternError) -> IDPatternSyntax {
        guard depth < Self.maximumDepth else { throw failure("groups are nested too deeply: use at most 8 levels") }
        let start = index
        index += 1
        depth += 1
        let syntax = try alternatives()
        depth -= 1
        guard skip(")") else {
            index = start
            throw failure("a ( has no ) after it: write [(] for the character itself")
        }
        return syntax
    }
}

// MARK: - Quantifiers

extension IDPatternParser {
    private mutating func quantified(_ atom: IDPatternSyntax) throws(IDPatternError) -> IDPatternSyntax {
        let start = index
        let syntax: IDPatternSyntax
        if skip("?") {
            syntax = .repeated(atom, 0...1)
        } else if skip("*") {
            syntax = .repeated(.repeatedEndlessly(atom), 0...1)
        } else if skip("+") {
            syntax = .repeatedEndlessly(atom)
        } else if skip("{") {
            syntax = .repeated(atom, try times())
        } else {
            return atom
        }
        guard syntax.size <= Self.maximumSize else { throw Self.tooLarge(at: start) }
        if let byte = peek, "?*+{".utf8.contains(byte) {
            throw failure("a quantifier follows another: use one, or put a group around the first")
        }
        return syntax
    }

    private mutating func times() throws(IDPatternError) -> ClosedRange<Int> {
        let start = index
        if let minimum = number() {
            let maximum = skip(",") ? number() : minimum
            if skip("}"), let maximum, 1...ResourceID.maximumScalars ~= maximum, minimum <= maximum {
                return minimum...maximum
            }
        }
        index = start
        throw failure("a number of times is {n} or {n,m}, where m is from n to 64 and not 0")
    }

    /// Parses a number of one or two digits.
    private mutating func number() -> Int? {
        let digits = bytes[index...].prefix(while: \.isASCIIDigit)
        index += digits.count
        return digits.count <= 2 ? Int(String(decoding: digits, as: UTF8.self)) : nil
    }
}

// MARK: - Classes

extension IDPatternParser {
    private mutating func characterClass() throws(IDPatternError) -> IDPatternSyntax {
        let start = index
        index += 1
        if peek == UInt8(ascii: "^") {
            throw failure("a class has no negation: name the characters that are allowed")
        }
        var members: Set<UInt8> = []
        while let byte = peek, byte != UInt8(ascii: "]") {
            if byte == UInt8(ascii: "-"), index > start + 1, let next = peekSecond, next != UInt8(ascii: "]") {
                throw failure("a - in the middle of a class belongs to no range: put it first or last")
            }
            members.formUnion(try classMembers(first: byte))
        }
        guard !members.isEmpty, skip("]") else {
            index = start
            throw failure("a class is not complete: name the characters that are allowed and close it with ]")
        }
        return .byte(members)
    }

    /// Parses one character, or a range of characters.
    private mutating func classMembers(first: UInt8) throws(IDPatternError) -> ClosedRange<UInt8> {
        guard IDPatternSyntax.idBytes.contains(first) else {
            throw failure("no ID that a pattern can match has this character: leave it out of the class")
        }
        let start = index
        index += 1
        guard peek == UInt8(ascii: "-"), let last = peekSecond, last != UInt8(ascii: "]") else { return first...first }
        guard first <= last, Self.ranges.contains(where: { $0 ~= first && $0 ~= last }) else {
            index = start
            throw failure("a range runs upwards within a-z, A-Z or 0-9: put a - that is meant itself first or last")
        }
        index += 2
        return first...last
    }

    private static let ranges = [
        UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"),
    ]
}

// MARK: - Hints

extension IDPatternParser {
    /// Returns what to write instead of a special character outside a class; nil for other characters.
    private static func hint(for byte: UInt8) -> String? {
        switch byte {
        case UInt8(ascii: "."):
            "no character stands for any other: write [.] for a dot, or a class such as [A-Za-z0-9-]"
        case UInt8(ascii: "^"), UInt8(ascii: "$"):
            "a pattern always matches the whole ID: leave ^ and $ out; [$] is a dollar sign"
        case UInt8(ascii: "\\"): "there are no escapes: write [.] for a dot and [0-9] for a digit"
        case UInt8(ascii: "?"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "{"):
            "a quantifier has nothing before it: write the character or group that it is for; [+] is a plus sign"
        case UInt8(ascii: "]"): "a ] has no [ before it"
        case UInt8(ascii: "}"): "a } has no { before it"
        case _ where IDPatternSyntax.idBytes.contains(byte): nil
        default: "no ID that a pattern can match has this character: leave it out"
        }
    }
}
