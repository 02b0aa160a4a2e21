import StrictCoding

/// Finds files whose aliases of aliases the YAML parser would take for ever to expand, before it gets them.
///
/// It hashes each mapping's keys while it parses, and a key that is an alias is expanded. Whether a byte begins an
/// alias is known only after parsing; this counts all candidates.
enum AliasScreen {
    /// The instruction for the operator.
    static let hint =
        "uses an anchor (&) and many aliases (*). Anchors and aliases are not supported; write the value in each place."

    /// So few cannot become many.
    private static let harmless = 8

    /// Returns the line of the first anchor in a file with anchors and more than a few aliases.
    static func bomb(in yaml: ArraySlice<UInt8>) -> Int? {
        let aliases = yaml.indices.lazy.filter { isMark(UInt8(ascii: "*"), at: $0, of: yaml) }
        guard aliases.prefix(harmless + 1).reduce(0, { count, _ in count + 1 }) > harmless,
            let anchor = yaml.indices.first(where: { isMark(UInt8(ascii: "&"), at: $0, of: yaml) })
        else { return nil }
        return 1 + yaml[..<anchor].count { $0 == UInt8(ascii: "\n") }
    }

    /// Returns whether a sign is followed by a name and preceded by a character that can precede a value.
    private static func isMark(_ sign: UInt8, at index: Int, of yaml: ArraySlice<UInt8>) -> Bool {
        yaml[index] == sign && yaml[(index + 1)...].first.map(isName) ?? false
            && (index == yaml.startIndex || isBefore(yaml[index - 1]))
    }

    private static func isName(_ byte: UInt8) -> Bool {
        byte.isASCIILetterOrDigit || "-_".utf8.contains(byte)
    }

    /// Returns whether a byte is white space, a line break, or a character that begins or separates collection
    /// elements.
    private static func isBefore(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte >= 0x80 || "[]{},:?-\"'".utf8.contains(byte)
    }
}
