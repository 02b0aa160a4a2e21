/// An API key as a caller sends it: `ftk_`, an ID that is no secret, `_`, and 256 random bits.
///
/// Its form is fixed, so that secret scanners know it when they see it, and so that nobody can make up a key that is easy
/// to remember and to guess.
package struct APIKey {
    /// What all keys begin with.
    package static let prefix = "ftk_"
    /// The characters of ID and secret.
    package static let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
    /// How many characters an ID has.
    package static let idLength = 12
    /// How many characters a secret has: 43 of 62 are 256 bits.
    package static let secretLength = 43

    /// The ID, by which the key is found.
    let id: [UInt8]

    /// Reads a key, or returns nil when it has another form.
    init?(parsing key: [UInt8]) {
        let prefix = Self.prefix.utf8
        let separator = prefix.count + Self.idLength
        guard key.count == separator + 1 + Self.secretLength, key.starts(with: prefix),
            key[separator] == UInt8(ascii: "_")
        else { return nil }
        let id = key[prefix.count..<separator]
        guard id.allSatisfy(Self.isInAlphabet), key[(separator + 1)...].allSatisfy(Self.isInAlphabet) else {
            return nil
        }
        self.id = Array(id)
    }

    /// Whether a text may be an ID.
    static func isID(_ text: some Collection<UInt8>) -> Bool {
        text.count == idLength && text.allSatisfy(isInAlphabet)
    }

    /// Whether a text holds what looks like a key.
    static func occurs(in text: ArraySlice<UInt8>) -> Bool {
        text.ranges(of: Array(prefix.utf8)).contains { text[$0.upperBound...].first.map(isInAlphabet) ?? false }
    }

    private static func isInAlphabet(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }
}
