/// The size limit of a log line, which also sanitizes its texts.
///
/// The bounds hold before escaping, which makes a control character six bytes long.
struct LogBudget {
    /// The most bytes of one text.
    static let maximumTextLength = 4 * 1024
    /// The approximate maximum size of all texts in a line: each cut leaves a mark.
    static let maximumLineLength = 16 * 1024
    /// The most levels of metadata inside metadata.
    static let maximumDepth = 8

    private var remaining = maximumLineLength
    /// Whether anything was left out or cut off.
    var isExceeded = false

    /// Returns whether there is room for another member of an object or an array, and reserves space for its
    /// punctuation.
    mutating func takesMember(depth: Int) -> Bool {
        guard remaining > 0, depth <= Self.maximumDepth else {
            isExceeded = true
            return false
        }
        remaining -= 4
        return true
    }

    /// Returns the text without secrets, truncated if it is too long.
    mutating func fit(_ text: String) -> String {
        let bytes = Array(text.utf8)
        let limit = max(0, min(Self.maximumTextLength, remaining))
        var output: [UInt8] = []
        var copied = 0
        var index = 0
        while index < bytes.count, output.count + index - copied < limit {
            if let end = SecretPattern.end(in: bytes, from: index) {
                output += bytes[copied..<index] + SecretPattern.mark
                copied = end
                index = end
            } else {
                index += 1
            }
        }
        if copied == 0, index == bytes.count {
            remaining -= bytes.count
            return text
        }
        // Not in the middle of a scalar.
        while index > copied, index < bytes.count, bytes[index] & 0xC0 == 0x80 { index -= 1 }
        output += bytes[copied..<index]
        remaining -= output.count
        if index < bytes.count {
            isExceeded = true
            output += Array("<\(bytes.count - index) bytes cut>".utf8)
        }
        return String(decoding: output, as: UTF8.self)
    }
}
