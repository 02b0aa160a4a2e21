import StrictCoding

/// Finds secrets in text from other sources: a JWT, a PEM block, one of our API keys.
///
/// Our own secrets never get here: their types have no text. This is for foreign errors, which may quote their input.
package enum SecretPattern {
    /// The replacement of a secret.
    package static let mark = Array("<redacted>".utf8)

    private static let jwt = Array("eyJ".utf8)
    private static let apiKey = Array("ftk_".utf8)
    private static let pemBegin = Array("-----BEGIN ".utf8)
    private static let pemEnd = Array("-----END ".utf8)
    private static let pemDashes = Array("-----".utf8)

    /// Returns a text with a mark in place of each secret.
    package static func redacted(_ text: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        var index = 0
        while index < text.count {
            if let end = end(in: text, from: index) {
                output += mark
                index = end
            } else {
                output.append(text[index])
                index += 1
            }
        }
        return output
    }

    /// Returns the end of the secret that begins at `start`.
    ///
    /// A search that calls this at each index, and continues after each secret, takes linear time.
    ///
    /// - Returns: nil if none begins there.
    static func end(in text: [UInt8], from start: Int) -> Int? {
        switch text[start] {
        // `eyJ` is the base64url encoding of `{"`. Sixteen characters are fewer than the shortest header; dots are not
        // required, because a part of a token is a secret too.
        case jwt[0]: endOfToken(jwt, in: text, from: start, atLeast: 16)
        case apiKey[0]: endOfToken(apiKey, in: text, from: start, atLeast: apiKey.count + 1)
        case pemBegin[0]: endOfPEM(in: text, from: start)
        default: nil
        }
    }

    // A PEM block's first dashes are token characters too; treating them as a token's end would hide the block.
    private static func endOfToken(_ prefix: [UInt8], in text: [UInt8], from start: Int, atLeast size: Int) -> Int? {
        guard has(prefix, in: text, at: start) else { return nil }
        var index = start
        while index < text.count, isTokenCharacter(text[index]), !has(pemBegin, in: text, at: index) { index += 1 }
        return index - start >= size ? index : nil
    }

    // A block without an end extends to the end of the text.
    private static func endOfPEM(in text: [UInt8], from start: Int) -> Int? {
        guard has(pemBegin, in: text, at: start) else { return nil }
        var index = endOfLabel(in: text, from: start + pemBegin.count)
        guard has(pemDashes, in: text, at: index) else { return nil }
        while index < text.count {
            if has(pemEnd, in: text, at: index) {
                let label = endOfLabel(in: text, from: index + pemEnd.count)
                return has(pemDashes, in: text, at: label) ? label + pemDashes.count : label
            }
            index += 1
        }
        return text.count
    }

    private static func has(_ pattern: [UInt8], in text: [UInt8], at start: Int) -> Bool {
        text[start...].starts(with: pattern)
    }

    private static func endOfLabel(in text: [UInt8], from start: Int) -> Int {
        text[start...].firstIndex { !isLabelCharacter($0) } ?? text.count
    }

    /// Base64url, and the dots of a JWT.
    private static func isTokenCharacter(_ byte: UInt8) -> Bool {
        byte.isASCIILetterOrDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
    }

    private static func isLabelCharacter(_ byte: UInt8) -> Bool {
        byte.isASCIICapital || byte.isASCIIDigit || byte == UInt8(ascii: " ")
    }
}
