/// A JSON value (RFC 8259), whose members keep their order.
enum JSON: Hashable, Sendable {
    /// A member of an object.
    struct Member: Hashable, Sendable {
        let name: String
        let value: JSON
    }

    case null
    case bool(Bool)
    /// A number as it is written.
    case number(String)
    case string(String)
    case array([JSON])
    case object([Member])

    /// Creates a number.
    static func integer(_ value: some BinaryInteger) -> Self { .number("\(value)") }

    /// Creates an object of the members that have a value.
    static func members(_ members: KeyValuePairs<String, JSON?>) -> Self {
        .object(members.compactMap { name, value in value.map { Member(name: name, value: $0) } })
    }

    /// The string; nil for another value.
    var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// The number, if it is whole and written without a fraction or an exponent.
    var integer: Int64? {
        guard case .number(let text) = self else { return nil }
        return Int64(text)
    }

    var bool: Bool? {
        guard case .bool(let bool) = self else { return nil }
        return bool
    }

    /// The elements of an array; nil for another value.
    var elements: [JSON]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    /// The members of an object; nil for another value.
    var members: [Member]? {
        guard case .object(let members) = self else { return nil }
        return members
    }

    /// The value of an object's member; nil if there is none, or for another value.
    subscript(name: String) -> JSON? {
        members?.first { $0.name.hasSameBytes(as: name) }?.value
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    init(stringLiteral value: String) { self = .string(value) }
    init(arrayLiteral elements: JSON...) { self = .array(elements) }
    init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(elements.map { Member(name: $0, value: $1) })
    }
}

extension JSON {
    /// The text, in one line.
    ///
    /// Control characters are escaped.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes
    }

    private func write(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .number(let text): bytes += text.utf8
        case .string(let text): Self.write(text, to: &bytes)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                element.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                Self.write(member.name, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    private static func write(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for scalar in text.unicodeScalars {
            guard scalar.value < 0x20 || scalar.value == 0x7F else {
                if scalar == "\"" || scalar == "\\" { bytes.append(UInt8(ascii: "\\")) }
                bytes += scalar.utf8
                continue
            }
            bytes += "\\u00\(scalar.value < 0x10 ? "0" : "")\(String(scalar.value, radix: 16))".utf8
        }
        bytes.append(UInt8(ascii: "\""))
    }
}

extension String {
    /// Returns whether two strings have the same UTF-8: `==` takes canonically equivalent ones for equal.
    func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
