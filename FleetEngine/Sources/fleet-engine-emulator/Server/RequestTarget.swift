import FleetToken

/// A path and a query, split first and then percent-decoded once.
struct RequestTarget: Sendable {
    /// The segments of the path; the last is without its action.
    let segments: [String]
    /// What follows the last colon of the path, such as search; empty for none.
    ///
    /// The colon of an ID is percent-encoded.
    let action: String
    /// In the order in which they are written; `+` is a space, as forms write it.
    let parameters: [(name: String, value: String)]

    /// Creates a target by parsing it.
    init(_ target: String) throws(EngineError) {
        let halves = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard halves[0].first == "/" else { throw EngineError(.bodyMalformed, "The path does not begin with a slash.") }
        let path = halves[0].utf8.dropFirst()
        let last = path[(path.lastIndex(of: UInt8(ascii: "/")).map(path.index(after:)) ?? path.startIndex)...]
        let colon = last.lastIndex(of: UInt8(ascii: ":")) ?? path.endIndex
        action = try Self.decode(path[colon...].dropFirst())
        var segments: [String] = []
        for part in path[..<colon].split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            segments.append(try Self.decode(part))
        }
        self.segments = segments
        var parameters: [(String, String)] = []
        for pair in halves.count == 2 ? halves[1].split(separator: "&") : [] {
            let text = pair.utf8.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
            let end = text.firstIndex(of: UInt8(ascii: "=")) ?? text.endIndex
            parameters.append((try Self.decode(text[..<end]), try Self.decode(text[end...].dropFirst())))
        }
        self.parameters = parameters
    }

    private static func decode(_ text: some Swift.Collection<UInt8>) throws(EngineError) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            guard digits.count == 2, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            else { throw EngineError(.bodyMalformed, "A percent sign in the URL is not followed by two digits.") }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw EngineError(.bodyMalformed, "The URL is not valid UTF-8.")
        }
        return text
    }
}
