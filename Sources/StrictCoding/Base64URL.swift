/// Base64url without padding (RFC 4648 section 5), as JOSE uses it (RFC 7515 section 2), and nothing more lenient.
public enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// Each byte's six bits, or 0xFF for a byte outside the alphabet.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, byte) in alphabet.enumerated() {
            values[Int(byte)] = UInt8(value)
        }
        return values
    }()

    /// Encodes bytes without padding.
    public static func encode(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity((bytes.count * 4 + 2) / 3)
        append(bytes, to: &output)
        return output
    }

    /// Encodes bytes without padding to the end of `output`.
    public static func append(_ bytes: some Collection<UInt8>, to output: inout [UInt8]) {
        var accumulator: UInt32 = 0
        var bits = 0
        // An array, because a generic collection's iterator isn't specialised for callers in other modules.
        for byte in Array(bytes) {
            accumulator = accumulator << 8 | UInt32(byte)
            bits += 8
            while bits >= 6 {
                bits -= 6
                output.append(alphabet[Int(accumulator >> UInt32(bits) & 0x3F)])
            }
        }
        if bits > 0 {
            output.append(alphabet[Int(accumulator << UInt32(6 - bits) & 0x3F)])
        }
    }

    /// Decodes bytes that are exactly what ``encode(_:)`` makes: no padding, no white space, no `+` or `/`, and no bits
    /// left over that are not zero, so that each value has one spelling only.
    ///
    /// - Throws: ``Base64URLError`` when the text is anything else.
    public static func decode(_ text: some Collection<UInt8>) throws(Base64URLError) -> [UInt8] {
        // An array, as above.
        let text = Array(text)
        guard text.count % 4 != 1 else { throw .impossibleLength }
        var output: [UInt8] = []
        output.reserveCapacity(text.count * 3 / 4)
        var accumulator: UInt32 = 0
        var bits = 0
        for byte in text {
            let value = values[Int(byte)]
            guard value != 0xFF else { throw .outsideAlphabet }
            accumulator = accumulator << 6 | UInt32(value)
            bits += 6
            if bits >= 8 {
                bits -= 8
                output.append(UInt8(truncatingIfNeeded: accumulator >> UInt32(bits)))
            }
        }
        guard accumulator & ((1 << UInt32(bits)) - 1) == 0 else { throw .trailingBits }
        return output
    }
}

/// Why a text is not base64url.
public enum Base64URLError: Error, Equatable, CustomStringConvertible {
    /// A byte outside `A-Z a-z 0-9 - _`; padding and white space are.
    case outsideAlphabet
    /// A length that no bytes encode to.
    case impossibleLength
    /// The last character carries bits that belong to no byte.
    case trailingBits

    /// What is wrong, without the text itself.
    public var description: String {
        switch self {
        case .outsideAlphabet: "it has a character outside A-Z a-z 0-9 - _ (padding and white space are not allowed)"
        case .impossibleLength: "its length is impossible: it was cut off or has a character too many"
        case .trailingBits: "its last character carries bits of no byte"
        }
    }
}
