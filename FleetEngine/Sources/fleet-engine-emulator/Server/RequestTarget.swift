import FleetToken

/// A path and a query, split first and then percent-decoded once.
struct RequestTarget: Sendable {
    let segments: [String]
    /// In the order in which they are written; `+` is a space, as forms write it.
    let parameters: [(name: String, value: String)]

    /// Creates a target by parsing it.
    init(_ target: String) throws(EngineError) {
        let halves = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard halves[0].first == "/" else { throw EngineError(.bodyMalformed, "The path does not begin with a slash.") }
        var segments: [String] = []
        for part in halves[0].dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            segments.append(try Self.decode(part.utf8))
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
