/// Bytes as lower-case hexadecimal digits.
package enum Hexadecimal {
    package static func text(_ bytes: some Collection<UInt8>) -> String {
        String(unsafeUninitializedCapacity: 2 * bytes.count) { text in
            for (index, byte) in bytes.enumerated() {
                text.initializeElement(at: 2 * index, to: digit(byte >> 4))
                text.initializeElement(at: 2 * index + 1, to: digit(byte & 0xF))
            }
            return 2 * bytes.count
        }
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
