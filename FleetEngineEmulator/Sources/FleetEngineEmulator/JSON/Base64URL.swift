/// Base64 for URLs without padding (RFC 7515 section 2).
enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    /// The six bits of each character; 255 for a byte that is none.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()

    /// Returns the text for bytes.
    static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        var (bits, count): (UInt32, Int) = (0, 0)
        // Arrays: a debug build does not specialize the loop.
        for byte in Array(bytes) {
            (bits, count) = (bits << 8 | UInt32(byte), count + 8)
            while count >= 6 {
                count -= 6
                text.append(alphabet[Int(bits >> count & 63)])
            }
        }
        if count > 0 { text.append(alphabet[Int(bits << (6 - count) & 63)]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the bytes of a text; nil unless it is the only text for them.
    static func decode(_ text: some Swift.Collection<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3 + 2)
        var (bits, count): (UInt32, Int) = (0, 0)
        for character in Array(text) {
            let value = values[Int(character)]
            guard value < 64 else { return nil }
            (bits, count) = (bits << 6 | UInt32(value), count + 6)
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> count))
        }
        // What is left are zeros, of less than a character: another text would have the same bytes.
        guard count < 6, bits & (1 << count - 1) == 0 else { return nil }
        return bytes
    }
}
