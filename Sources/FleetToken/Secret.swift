/// Bytes that must not be shown: a token, a key, a password.
///
/// It has no description, no reflection and no coding, so that it cannot reach a log or an error by accident. Whoever
/// needs the bytes asks for them by name, which is easy to search for.
public struct Secret: Sendable {
    private let bytes: [UInt8]

    /// Wraps bytes.
    public init(_ bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
    }

    /// Wraps a text's UTF-8.
    public init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// The bytes, to be sent or used and not to be shown.
    public func reveal() -> [UInt8] { bytes }

    /// The bytes as text, to be sent or used and not to be shown; what isn't UTF-8 becomes U+FFFD.
    public func revealText() -> String { String(decoding: bytes, as: UTF8.self) }
}

extension Secret: Hashable {
    /// Equality in a time that depends on the lengths only.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        guard lhs.bytes.count == rhs.bytes.count else { return false }
        var difference: UInt8 = 0
        for index in lhs.bytes.indices { difference |= lhs.bytes[index] ^ rhs.bytes[index] }
        return difference == 0
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// `<redacted>`.
    public var description: String { "<redacted>" }
    /// `<redacted>`.
    public var debugDescription: String { "<redacted>" }
    /// A mirror without children, for `dump` and the like.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
