import StrictCoding

/// What is wrong with text that is not YAML, for mistakes at which the parser gives up later or for another reason.
struct SyntaxHint {
    let line: Int
    let message: String

    /// Looks for such a mistake where the parser gave up, and where what it was reading began.
    init?(_ lines: [Substring], line: Int, opening: Int?) {
        let candidates = [line, opening ?? line].filter { lines.indices.contains($0 - 1) }
        func first(_ isMistake: (Substring) -> Bool) -> Int? { candidates.first { isMistake(lines[$0 - 1]) } }
        if let index = lines.indices.prefix(line).suffix(3).last(where: { Self.hasTightColon(lines[$0]) }) {
            self.line = index + 1
            message = "A space is missing after the colon of a key."
        } else if let line = first(Self.hasBracketedAddress) {
            self.line = line
            message = "An address in brackets must be in quotes, such as \"[::1]:8080\"."
        } else if let line = first({ $0.prefix { $0 == " " || $0 == "\t" }.contains("\t") }) {
            self.line = line
            message = "Tab in the indentation. Use spaces."
        } else {
            return nil
        }
    }

    /// Whether a text begins with a name, a colon and something else than white space, as in `listen:127.0.0.1:8080`.
    static func hasTightColon(_ line: Substring) -> Bool {
        let rest = line.utf8.drop { $0 == 0x20 }
        let name = rest.prefix(while: \.isASCIILetter)
        let after = rest.dropFirst(name.count)
        guard !name.isEmpty, after.first == UInt8(ascii: ":"), let next = after.dropFirst().first else { return false }
        return next > 0x20 && next != UInt8(ascii: "/")
    }

    /// Whether a line has an IPv6 address in brackets, and a port, without quotes around them.
    private static func hasBracketedAddress(_ line: Substring) -> Bool {
        guard let end = line.firstRange(of: "]:"), let start = line[..<end.lowerBound].lastIndex(of: "[") else {
            return false
        }
        let inner = line[start..<end.lowerBound].dropFirst()
        return inner.contains(":") && inner.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
            && !line[..<start].contains { $0 == "\"" || $0 == "'" }
    }
}
