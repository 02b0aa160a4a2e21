/// Bytes as hexadecimal digits: written in lower case, read in both.
package enum Hexadecimal {
    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        var digits: [UInt8] = []
        Array(bytes).withUnsafeBytes { append($0, to: &digits) }
        return String(decoding: digits, as: UTF8.self)
    }

    /// Appends the digits as ASCII.
    ///
    /// A buffer, because a generic sequence isn't specialized for callers in other modules and would allocate.
    package static func append(_ bytes: UnsafeRawBufferPointer, to text: inout [UInt8]) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 2 * bytes.count) { digits in
            for (index, byte) in bytes.enumerated() {
                digits[2 * index] = digit(byte >> 4)
                digits[2 * index + 1] = digit(byte & 0xF)
            }
            text.append(contentsOf: digits)
        }
    }

    /// Returns the value of an ASCII digit, or nil if it is none.
    package static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
    }
}
