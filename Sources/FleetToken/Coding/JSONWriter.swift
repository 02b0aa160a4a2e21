/// Writes JSON as bytes, member by member, in the order given.
///
/// In strings, every scalar is escaped that a terminal would interpret or not show: controls, line separators,
/// bidirectional and other format controls, default ignorables, private use and unassigned. So a line stays one line
/// and is fully visible.
public struct JSONWriter {
    /// The bytes written so far.
    public private(set) var bytes: [UInt8] = []
    private var needsComma = false

    /// Creates an empty writer.
    ///
    /// - Parameter capacity: The expected number of bytes, if known.
    public init(capacity: Int = 512) {
        bytes.reserveCapacity(capacity)
    }

    /// Writes an object; `body` writes its members.
    public mutating func object(_ body: (inout JSONWriter) -> Void) {
        container(open: UInt8(ascii: "{"), close: UInt8(ascii: "}"), body)
    }

    /// Writes an array; `body` writes its elements.
    public mutating func array(_ body: (inout JSONWriter) -> Void) {
        container(open: UInt8(ascii: "["), close: UInt8(ascii: "]"), body)
    }

    /// Writes a member's name; the next value written is its value.
    ///
    /// - Parameter name: ASCII that needs no escape, as all names of our own.
    public mutating func name(_ name: StaticString) {
        assert(name.withUTF8Buffer { Self.isPlain($0) })
        separate()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(literal: name)
        bytes.append(literal: "\":")
        needsComma = false
    }

    /// Writes a member with a string.
    public mutating func member(_ name: StaticString, _ value: String) {
        self.name(name)
        string(value)
    }

    /// Writes a member with a string from its UTF-8.
    public mutating func member(_ name: StaticString, utf8 value: [UInt8]) {
        self.name(name)
        string(utf8: value)
    }

    /// Writes a member with an integer of 64 bits or less.
    @inlinable
    public mutating func member(_ name: StaticString, _ value: some SignedInteger) {
        self.name(name)
        integer(value)
    }

    /// Writes a member with `true` or `false`.
    public mutating func member(_ name: StaticString, _ value: Bool) {
        self.name(name)
        bool(value)
    }

    /// Writes a member with any JSON value.
    public mutating func member(_ name: StaticString, _ value: JSONValue) {
        self.name(name)
        self.value(value)
    }

    /// Writes a member's name that is known only when the program runs.
    public mutating func name(text: String) {
        string(text)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes a string.
    public mutating func string(_ value: String) {
        // Without a copy, where the text is in one piece.
        guard value.utf8.withContiguousStorageIfAvailable({ string($0) }) == nil else { return }
        string(utf8: Array(value.utf8))
    }

    /// Writes a string from its UTF-8; invalid bytes become U+FFFD.
    ///
    /// For tokens: ASCII is copied without creating a `String`.
    public mutating func string(utf8 value: [UInt8]) {
        value.withUnsafeBufferPointer { string($0) }
    }

    private mutating func string(_ value: UnsafeBufferPointer<UInt8>) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        if Self.isPlain(value) {
            bytes.append(contentsOf: value)
        } else {
            for scalar in String(decoding: value, as: UTF8.self).unicodeScalars { append(scalar) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes bytes as a string of hexadecimal digits.
    package mutating func hexadecimal(_ value: UnsafeRawBufferPointer) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        Hexadecimal.append(value, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes an integer of 64 bits or less.
    @inlinable
    public mutating func integer(_ value: some SignedInteger) { integer(decimal: Int64(value)) }

    @usableFromInline
    mutating func integer(decimal value: Int64) {
        separate()
        bytes.append(decimal: value)
    }

    /// Writes `true` or `false`.
    public mutating func bool(_ value: Bool) {
        separate()
        bytes.append(literal: value ? "true" : "false")
    }

    /// Writes any JSON value.
    public mutating func value(_ value: JSONValue) {
        switch value {
        case .null:
            separate()
            bytes.append(literal: "null")
        case .bool(let bool): self.bool(bool)
        case .integer(let integer): self.integer(integer)
        case .decimal(let text):
            separate()
            bytes.append(contentsOf: text.utf8)
        case .string(let text): string(text)
        case .array(let elements):
            array { writer in
                for element in elements { writer.value(element) }
            }
        case .object(let object):
            self.object { writer in
                for member in object.members {
                    writer.name(text: member.name)
                    writer.value(member.value)
                }
            }
        }
    }

    private mutating func container(open: UInt8, close: UInt8, _ body: (inout JSONWriter) -> Void) {
        separate()
        bytes.append(open)
        needsComma = false
        body(&self)
        bytes.append(close)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }
}

extension JSONWriter {
    /// Returns whether all bytes are ASCII that needs no escape.
    private static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes.allSatisfy { $0.isASCIIPrintable && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "\"", "\\":
            bytes.append(UInt8(ascii: "\\"))
            bytes.append(UInt8(scalar.value))
        case _ where scalar.isInvisible:
            for unit in scalar.utf16 {
                bytes.append(literal: "\\u")
                withUnsafeBytes(of: unit.bigEndian) { Hexadecimal.append($0, to: &bytes) }
            }
        default:
            bytes.append(contentsOf: scalar.utf8)
        }
    }
}
