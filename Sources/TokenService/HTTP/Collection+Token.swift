extension Collection<UInt8> {
    /// Whether a part of a header field is a word, in whatever case and with whatever spaces and tabs.
    func isToken(_ word: String) -> Bool {
        filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }.lowercasedASCII.elementsEqual(word.utf8)
    }
}
