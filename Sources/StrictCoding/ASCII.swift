extension Sequence<UInt8> {
    /// The bytes with ASCII letters in lower case, and all other scalars unchanged: Unicode would map the Kelvin sign
    /// to `k`.
    package var lowercasedASCII: [UInt8] {
        map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }
}

extension String.UTF8View {
    /// Returns whether a text equals a word in lower case, ignoring the case of ASCII letters.
    package func isEqual(ignoringCase word: String) -> Bool {
        elementsEqual(word.utf8) { byte, other in
            ((UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte) == other
        }
    }
}

extension Collection<UInt8> {
    /// Returns whether a part of a header field is a word, ignoring case and surrounding white space.
    package func isToken(_ word: String) -> Bool {
        filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }.lowercasedASCII.elementsEqual(word.utf8)
    }
}
