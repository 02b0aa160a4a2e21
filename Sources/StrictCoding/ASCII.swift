extension Sequence<UInt8> {
    /// The bytes with ASCII's capitals made small, and no other scalar changed: Unicode would make a `k` of the Kelvin
    /// sign.
    package var lowercasedASCII: [UInt8] {
        map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }
}

extension Collection<UInt8> {
    /// Whether a part of a header field is a word, in whatever case and with whatever spaces and tabs.
    package func isToken(_ word: String) -> Bool {
        filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }.lowercasedASCII.elementsEqual(word.utf8)
    }
}
