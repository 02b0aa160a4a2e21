/// Bytes as lower-case hexadecimal digits.
package enum Hexadecimal {
    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: digits(bytes), as: UTF8.self)
    }

    /// Returns the digits as ASCII.
    package static func digits(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var digits: [UInt8] = []
        // The number of bytes in a SHA-256 hash.
        digits.reserveCapacity(64)
        append(bytes, to: &digits)
        return digits
    }

    package static func append(_ bytes: some Sequence<UInt8>, to text: inout [UInt8]) {
        for byte in bytes {
            text.append(digit(byte >> 4))
            text.append(digit(byte & 0xF))
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
    }
}
