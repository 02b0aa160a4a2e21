/// A strict JSON parser (RFC 8259), which accepts only text with an unambiguous meaning.
///
/// Foundation's two parsers disagree about `{"alg":"RS256","alg":"none"}`; this parser rejects it. It also rejects
/// invalid UTF-8, lone surrogates, a byte-order mark, and anything except white space after the value. Depth and digits
/// are bounded, and the work grows linearly with the input: the caller limits its size and the number of values, each
/// of which costs a hundred times as much as a byte.
///
/// ## How it works
///
/// One pass over the bytes, without a tree of tokens: each container is a level of recursion, at most ``maximumDepth`` of
/// them, and each name is compared with the names before it in its object.
///
/// ```
/// let object = try JSONParser.parseObject(Array(#"{"kind":"driver"}"#.utf8))
/// object["kind"]?.stringValue                                        // "driver"
/// try JSONParser.parse(Array(#"{"a":1,"a":2}"#.utf8))                // throws: an object has a duplicate member
/// ```
public struct JSONParser {
    /// The maximum nesting depth of arrays and objects.
    public static let maximumDepth = 16
    /// The maximum number of characters in a number.
    public static let maximumNumberLength = 64

    /// The number of names that are compared one by one.
    private static let fewMembers = 16

    private let bytes: [UInt8]
    private var position = 0
    private var remainingValues: Int

    private init(_ bytes: [UInt8], maximumValues: Int) {
        self.bytes = bytes
        remainingValues = maximumValues
    }

    /// Parses a complete text.
    ///
    /// - Parameters:
    ///   - bytes: The text.
    ///   - maximumValues: The maximum number of values at all levels together: objects, arrays and their contents.
    /// - Returns: The value.
    /// - Throws: ``JSONError`` with the position of the first error.
    public static func parse(
        _ bytes: some Sequence<UInt8>,
        maximumValues: Int = .max
    ) throws(JSONError) -> JSONValue {
        var parser = JSONParser(Array(bytes), maximumValues: maximumValues)
        let value = try parser.value(depth: 0)
        parser.skipWhiteSpace()
        guard parser.peek == nil else { throw parser.failure(.syntax) }
        return value
    }

    /// Parses a complete text that is an object.
    ///
    /// - Parameters:
    ///   - bytes: The text.
    ///   - maximumValues: The maximum number of values, as for ``parse(_:maximumValues:)``.
    /// - Returns: The object.
    /// - Throws: ``JSONError``, with code ``JSONError/Code/notAnObject`` if it is another value.
    public static func parseObject(
        _ bytes: some Sequence<UInt8>,
        maximumValues: Int = .max
    ) throws(JSONError) -> JSONObject {
        guard let object = try parse(bytes, maximumValues: maximumValues).objectValue else {
            throw JSONError(code: .notAnObject, offset: 0)
        }
        return object
    }

    private var peek: UInt8? {
        position < bytes.count ? bytes[position] : nil
    }

    private func failure(_ code: JSONError.Code) -> JSONError {
        JSONError(code: code, offset: position)
    }

    private mutating func skipWhiteSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            position += 1
        }
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        position += 1
        return true
    }

    /// Parses a value inside `depth` arrays and objects.
    private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
        skipWhiteSpace()
        guard remainingValues > 0 else { throw failure(.tooMany) }
        remainingValues -= 1
        switch peek {
        case UInt8(ascii: "{"): return .object(try object(depth: depth + 1))
        case UInt8(ascii: "["): return .array(try array(depth: depth + 1))
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        default: return try number()
        }
    }

    private mutating func literal(_ text: String, _ value: JSONValue) throws(JSONError) -> JSONValue {
        for expected in text.utf8 {
            guard skip(expected) else { throw failure(.syntax) }
        }
        return value
    }

    private mutating func open(depth: Int) throws(JSONError) {
        guard depth <= Self.maximumDepth else { throw failure(.tooDeep) }
        position += 1
        skipWhiteSpace()
    }

    private mutating func object(depth: Int) throws(JSONError) -> JSONObject {
        try open(depth: depth)
        var object = JSONObject()
        // With many members, comparing each name with all others would take too long.
        var names: Set<[UInt8]> = []
        if skip(UInt8(ascii: "}")) { return object }
        while true {
            skipWhiteSpace()
            guard peek == UInt8(ascii: "\"") else { throw failure(.syntax) }
            let name = try string()
            skipWhiteSpace()
            guard skip(UInt8(ascii: ":")) else { throw failure(.syntax) }
            let value = try value(depth: depth)
            if object.members.count == Self.fewMembers { names = Set(object.members.map { Array($0.name.utf8) }) }
            let isNew =
                object.members.count < Self.fewMembers
                ? object[name] == nil : names.insert(Array(name.utf8)).inserted
            guard isNew else { throw failure(.duplicateName) }
            object.append(new: .init(name, value))
            skipWhiteSpace()
            if skip(UInt8(ascii: "}")) { return object }
            guard skip(UInt8(ascii: ",")) else { throw failure(.syntax) }
        }
    }

    private mutating func array(depth: Int) throws(JSONError) -> [JSONValue] {
        try open(depth: depth)
        var array: [JSONValue] = []
        if skip(UInt8(ascii: "]")) { return array }
        while true {
            array.append(try value(depth: depth))
            skipWhiteSpace()
            if skip(UInt8(ascii: "]")) { return array }
            guard skip(UInt8(ascii: ",")) else { throw failure(.syntax) }
        }
    }
}

// MARK: - Strings

extension JSONParser {
    private mutating func string() throws(JSONError) -> String {
        position += 1
        let start = position
        while let byte = peek, byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") { position += 1 }
        // Few strings have escapes; the others are copied in one piece.
        var text = bytes[start..<position]
        while true {
            guard let byte = peek else { throw failure(.syntax) }
            switch byte {
            case UInt8(ascii: "\""):
                // Decoding repairs invalid UTF-8, so unchanged bytes were valid. ASCII always is.
                let string = String(decoding: text, as: UTF8.self)
                guard text.reduce(0, |) < 0x80 || string.utf8.elementsEqual(text) else { throw failure(.notUnicode) }
                position += 1
                return string
            case UInt8(ascii: "\\"):
                position += 1
                try escape(into: &text)
            case ..<0x20:
                throw failure(.syntax)
            default:
                text.append(byte)
                position += 1
            }
        }
    }

    private mutating func escape(into text: inout ArraySlice<UInt8>) throws(JSONError) {
        guard let byte = peek else { throw failure(.syntax) }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): text.append(contentsOf: String(try escapedScalar()).utf8)
        default: throw failure(.syntax)
        }
    }

    private mutating func escapedScalar() throws(JSONError) -> Unicode.Scalar {
        let first = try hexadecimal()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, skip(UInt8(ascii: "\\")), skip(UInt8(ascii: "u")) else { throw failure(.notUnicode) }
        let second = try hexadecimal()
        guard (0xDC00..<0xE000).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw failure(.notUnicode) }
        return scalar
    }

    private mutating func hexadecimal() throws(JSONError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = peek, let digit = Hexadecimal.value(of: byte) else { throw failure(.syntax) }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        return value
    }
}

// MARK: - Numbers

extension JSONParser {
    private mutating func number() throws(JSONError) -> JSONValue {
        let start = position
        let end = start + Self.maximumNumberLength
        _ = skip(UInt8(ascii: "-"))
        let leadingZero = peek == UInt8(ascii: "0")
        let integerDigits = try digits(before: end)
        guard !leadingZero || integerDigits == 1 else { throw failure(.syntax) }
        var isInteger = true
        if skip(UInt8(ascii: ".")) {
            isInteger = false
            _ = try digits(before: end)
        }
        if let byte = peek, byte | 0x20 == UInt8(ascii: "e") {
            isInteger = false
            position += 1
            if !skip(UInt8(ascii: "+")) { _ = skip(UInt8(ascii: "-")) }
            _ = try digits(before: end)
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isInteger, let integer = Int64(text) { return .integer(integer) }
        return .decimal(text)
    }

    /// Reads one or more digits before `end`, and returns their number.
    private mutating func digits(before end: Int) throws(JSONError) -> Int {
        let start = position
        while let byte = peek, byte.isASCIIDigit {
            guard position < end else { throw failure(.tooLarge) }
            position += 1
        }
        guard position > start else { throw failure(.syntax) }
        return position - start
    }
}
