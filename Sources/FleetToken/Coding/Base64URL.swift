/// Strict base64url without padding (RFC 4648 section 5), as JOSE uses it (RFC 7515 section 2).
public enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// The six bits for each byte, or 0xFF for a byte outside the alphabet.
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
        append(bytes, to: &output)
        return output
    }

    /// Appends bytes encoded without padding to `output`.
    public static func append(_ bytes: some Collection<UInt8>, to output: inout [UInt8]) {
        // An array, because a generic collection's iterator isn't specialized for callers in other modules.
        let bytes = Array(bytes)
        let start = output.count
        output.append(contentsOf: repeatElement(0, count: length(bytes.count)))
        output.withUnsafeMutableBufferPointer { output in
            encode(bytes, into: UnsafeMutableBufferPointer(rebasing: output[start...]))
        }
    }

    package static func isEncoding(_ text: ArraySlice<UInt8>, of bytes: [UInt8]) -> Bool {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: length(bytes.count)) { output in
            encode(bytes, into: output)
            return text.withUnsafeBytes { $0.hasSameBytes(as: UnsafeRawBufferPointer(output)) }
        }
    }

    /// Returns how many characters a number of bytes is encoded with.
    package static func length(_ count: Int) -> Int { (count * 4 + 2) / 3 }

    /// Fills `output`, which has the right length, with the encoded `bytes`.
    private static func encode(_ bytes: [UInt8], into output: UnsafeMutableBufferPointer<UInt8>) {
        // Buffers, because each token is encoded: an array's bounds checks made it several times slower.
        bytes.withUnsafeBufferPointer { bytes in
            alphabet.withUnsafeBufferPointer { alphabet in
                var offset = 0
                var index = 0
                // Three bytes become four characters.
                while index + 2 < bytes.count {
                    let group = UInt32(bytes[index]) << 16 | UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index + 2])
                    output[offset] = alphabet[Int(group >> 18)]
                    output[offset + 1] = alphabet[Int(group >> 12 & 0x3F)]
                    output[offset + 2] = alphabet[Int(group >> 6 & 0x3F)]
                    output[offset + 3] = alphabet[Int(group & 0x3F)]
                    index += 3
                    offset += 4
                }
                // Two become three, and one becomes two, padded with zero bits.
                guard index < bytes.count else { return }
                let isPair = index + 1 < bytes.count
                let group = UInt32(bytes[index]) << 16 | (isPair ? UInt32(bytes[index + 1]) << 8 : 0)
                output[offset] = alphabet[Int(group >> 18)]
                output[offset + 1] = alphabet[Int(group >> 12 & 0x3F)]
                if isPair { output[offset + 2] = alphabet[Int(group >> 6 & 0x3F)] }
            }
        }
    }

    /// Decodes exactly the output of ``encode(_:)``: no padding, no white space, no `+` or `/`, and no unused bits that
    /// are not zero, so that each value has only one encoding.
    ///
    /// - Throws: ``Base64URLError`` if the text has another form.
    public static func decode(_ text: some Collection<UInt8>) throws(Base64URLError) -> [UInt8] {
        // An array, for the same reason.
        let text = Array(text)
        guard text.count % 4 != 1 else { throw .impossibleLength }
        let size = text.count * 3 / 4
        var problem: Base64URLError?
        let output = [UInt8](unsafeUninitializedCapacity: size) { output, count in
            problem = decode(text, into: output)
            count = problem == nil ? size : 0
        }
        if let problem { throw problem }
        return output
    }

    /// Fills `output`, which has the right length, with the decoded `text`.
    private static func decode(_ text: [UInt8], into output: UnsafeMutableBufferPointer<UInt8>) -> Base64URLError? {
        text.withUnsafeBufferPointer { text in
            values.withUnsafeBufferPointer { values in
                var offset = 0
                for index in stride(from: 0, to: text.count, by: 4) {
                    // Four characters are three bytes; three are two, and two are one.
                    let count = min(4, text.count - index)
                    let first = values[Int(text[index])]
                    let second = values[Int(text[index + 1])]
                    let third = count > 2 ? values[Int(text[index + 2])] : 0
                    let fourth = count > 3 ? values[Int(text[index + 3])] : 0
                    // Bytes outside the alphabet have all bits set.
                    guard first | second | third | fourth < 0x40 else { return .outsideAlphabet }
                    let group = UInt32(first) << 18 | UInt32(second) << 12 | UInt32(third) << 6 | UInt32(fourth)
                    let unused: UInt32 = count == 2 ? 0xFFFF : count == 3 ? 0xFF : 0
                    guard group & unused == 0 else { return .trailingBits }
                    output[offset] = UInt8(truncatingIfNeeded: group >> 16)
                    if count > 2 { output[offset + 1] = UInt8(truncatingIfNeeded: group >> 8) }
                    if count > 3 { output[offset + 2] = UInt8(truncatingIfNeeded: group) }
                    offset += count - 1
                }
                return nil
            }
        }
    }
}
