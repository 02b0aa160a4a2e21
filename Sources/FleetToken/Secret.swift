/// Bytes that must not be displayed: a token, a key, a password.
///
/// A secret has no description, reflection or coding, so it cannot reach a log or an error by accident. Code that needs
/// the bytes calls a named method, which is easy to search for.
package struct Secret: Sendable {
    private let bytes: [UInt8]

    package init(_ bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
    }

    /// Creates a secret from the UTF-8 bytes of a string.
    package init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// Returns the bytes, to be sent or used but not displayed.
    package func reveal() -> [UInt8] { bytes }

    /// Returns the bytes as text, to be sent or used but not displayed; invalid UTF-8 becomes U+FFFD.
    package func revealText() -> String { String(decoding: bytes, as: UTF8.self) }
}

extension Secret: Hashable {
    /// Compares two secrets in a time that depends only on their lengths.
    package static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.bytes.hasSameBytes(as: rhs.bytes)
    }
}

extension Secret: CustomStringConvertible, CustomReflectable {
    package var description: String { "<redacted>" }
    /// A mirror without children, for functions such as `dump`.
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
