extension JSON {
    /// Where a text is no JSON, and why.
    struct ParsingError: Error, CustomStringConvertible {
        let reason: String
        let offset: Int

        var description: String { "\(reason) at byte \(offset)" }
    }

    /// Creates a value by parsing a complete text.
    ///
    /// Parsing is strict: names that occur twice, invalid UTF-8, lone surrogates and more than 64 levels are refused.
    init(parsing text: some Sequence<UInt8>) throws(ParsingError) {
        var parser = JSONParser(bytes: Array(text))
        self = try parser.value(depth: 0)
        parser.skipSpace()
        guard parser.peek == nil else { throw parser.failure("more than one value") }
    }
}

/// A recursive-descent parser of JSON.
private struct JSONParser {
    let bytes: [UInt8]
    private var position = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    func failure(_ reason: String) -> JSON.ParsingError { JSON.ParsingError(reason: reason, offset: position) }

    mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private mutating func skip(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard position + count <= bytes.count else { return false }
        for index in 0..<count where bytes[position + index] != text.utf8Start[index] { return false }
        position += count
        return true
    }

    /// Parses a value, and the white space before it.
    mutating func value(depth: Int) throws(JSON.ParsingError) -> JSON {
        guard depth < 64 else { throw failure("more than 64 levels") }
        skipSpace()
        switch peek {
        case UInt8(ascii: "{"): return .object(try object(depth: depth + 1))
        case UInt8(ascii: "["): return .array(try array(depth: depth + 1))
        case UInt8(ascii: "\""): return .string(try string())
        default:
            if skip("null") { return .null }
            if skip("true") { return .bool(true) }
            return skip("false") ? .bool(false) : .number(try number())
        }
    }

    private mutating func object(depth: Int) throws(JSON.ParsingError) -> [JSON.Member] {
        var members: [JSON.Member] = []
        var names: Set<[UInt8]> = []
        position += 1
        skipSpace()
        if skip("}") { return members }
        repeat {
            skipSpace()
            let name = try string()
            guard names.insert(Array(name.utf8)).inserted else {
                throw failure("the name \"\(name)\" for the second time")
            }
            skipSpace()
            guard skip(":") else { throw failure("no colon") }
            members.append(JSON.Member(name: name, value: try value(depth: depth)))
            skipSpace()
        } while skip(",")
        guard skip("}") else { throw failure("no comma or brace") }
        return members
    }

    private mutating func array(depth: Int) throws(JSON.ParsingError) -> [JSON] {
        var elements: [JSON] = []
        position += 1
        skipSpace()
        if skip("]") { return elements }
        repeat {
            elements.append(try value(depth: depth))
            skipSpace()
        } while skip(",")
        guard skip("]") else { throw failure("no comma or bracket") }
        return elements
    }

    private mutating func number() throws(JSON.ParsingError) -> String {
        let start = position
        _ = skip("-")
        let first = position
        guard digits() > 0 else { throw failure("no value") }
        guard bytes[first] != UInt8(ascii: "0") || position == first + 1 else { throw failure("a leading zero") }
        if skip("."), digits() == 0 { throw failure("no digit") }
        if skip("e") || skip("E") {
            _ = skip("+") || skip("-")
            guard digits() > 0 else { throw failure("no digit") }
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func digits() -> Int {
        let start = position
        while let byte = peek, (0x30...0x39).contains(byte) { position += 1 }
        return position - start
    }

    private mutating func string() throws(JSON.ParsingError) -> String {
        guard skip("\"") else { throw failure("no string") }
        var text: [UInt8] = []
        while let byte = peek, byte != UInt8(ascii: "\"") {
            guard byte >= 0x20 else { throw failure("a control character") }
            if skip("\\") {
                text += try escape()
                continue
            }
            let start = position
            while let byte = peek, byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
                position += 1
            }
            text += bytes[start..<position]
        }
        guard skip("\"") else { throw failure("no end of a string") }
        guard let string = String(validating: text, as: UTF8.self) else { throw failure("invalid UTF-8") }
        return string
    }

    private mutating func escape() throws(JSON.ParsingError) -> [UInt8] {
        let plain: [(StaticString, UInt8)] = [
            ("\"", 0x22), ("\\", 0x5C), ("/", 0x2F), ("b", 0x08), ("f", 0x0C), ("n", 0x0A), ("r", 0x0D), ("t", 0x09),
        ]
        for (name, byte) in plain where skip(name) { return [byte] }
        var units = [try unit()]
        if (0xD800..<0xDC00).contains(units[0]), skip("\\") { units.append(try unit()) }
        guard let text = String(validating: units, as: UTF16.self) else { throw failure("a lone surrogate") }
        return Array(text.utf8)
    }

    /// Parses `u` and four hexadecimal digits.
    private mutating func unit() throws(JSON.ParsingError) -> UInt16 {
        guard skip("u"), position + 4 <= bytes.count else { throw failure("no escape sequence") }
        let digits = bytes[position..<position + 4]
        guard digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw failure("no hexadecimal digit") }
        position += 4
        return unit
    }
}
