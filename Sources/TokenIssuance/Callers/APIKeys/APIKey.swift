import FleetToken

/// An API key as a caller sends it: `ftk_`, a public ID, `_`, and 256 random bits.
///
/// The fixed form lets secret scanners detect keys, and prevents keys that are easy to remember and to guess.
package struct APIKey {
    package static let prefix = "ftk_"
    /// The characters of ID and secret.
    package static let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
    /// The number of characters of an ID.
    package static let idLength = 12
    /// The number of characters of a secret: 43 of 62 are 256 bits.
    package static let secretLength = 43

    /// The ID, by which the key is found.
    let id: String

    /// Creates a key by parsing text; nil if the text is not in the form of a key.
    init?(parsing key: [UInt8]) {
        let prefix = Self.prefix.utf8
        let separator = prefix.count + Self.idLength
        guard key.count == separator + 1 + Self.secretLength, key.starts(with: prefix),
            key[separator] == UInt8(ascii: "_")
        else { return nil }
        let id = key[prefix.count..<separator]
        guard id.allSatisfy(\.isASCIILetterOrDigit), key[(separator + 1)...].allSatisfy(\.isASCIILetterOrDigit) else {
            return nil
        }
        self.id = String(decoding: id, as: UTF8.self)
    }

    /// Returns whether a text is a valid ID.
    static func isID(_ text: some Collection<UInt8>) -> Bool {
        text.count == idLength && text.allSatisfy(\.isASCIILetterOrDigit)
    }

    /// Returns whether a text contains what looks like a key.
    static func occurs(in text: ArraySlice<UInt8>) -> Bool {
        text.ranges(of: Array(prefix.utf8)).contains { text[$0.upperBound...].first?.isASCIILetterOrDigit ?? false }
    }
}
