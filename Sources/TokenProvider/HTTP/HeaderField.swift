import StrictCoding

/// The syntax of a header field (RFC 9110 sections 5.5 and 5.6.2).
///
/// Some URL loading systems accept a line break, which would let a value add header fields.
enum HeaderField {
    /// Returns whether the name is a token, and the value visible ASCII with spaces and tabs.
    static func isValid(name: String, value: String) -> Bool {
        !name.utf8.isEmpty && name.utf8.allSatisfy(isTokenByte)
            && value.utf8.allSatisfy { $0.isASCIIPrintable || $0 == 0x09 }
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        byte.isASCIILetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
}
