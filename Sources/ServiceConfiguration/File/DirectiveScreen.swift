/// Finds files with so many directives that the YAML parser, which compares each with all before, would take seconds.
enum DirectiveScreen {
    /// The instruction for the operator.
    static let hint = "Too many directives (%). A configuration needs none; remove them."

    /// So few take no time.
    private static let harmless = 8

    /// Returns the line of the first directive too many: a line that begins with `%`.
    static func excess(in yaml: ArraySlice<UInt8>) -> Int? {
        var (line, directives, isStart) = (1, 0, true)
        for byte in yaml {
            if isStart, byte == UInt8(ascii: "%") { directives += 1 }
            if directives > harmless { return line }
            isStart = byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
            if byte == UInt8(ascii: "\n") { line += 1 }
        }
        return nil
    }
}
