/// The path of an HTTP annotation: `/v1/{name=providers/*/trips/*}:verb`.
struct PathTemplate: Sendable {
    /// The template as it is written.
    let text: String
    /// Literals, and `*` for any one segment.
    private let segments: [String]
    private let variable: Range<Int>
    /// What follows the last colon; empty for none.
    private let verb: String

    /// Creates a template by parsing it.
    init(_ text: String) {
        self.text = text
        let halves = text.split(separator: "}", maxSplits: 1, omittingEmptySubsequences: false)
        let tail = halves[1].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let variable = halves[0].split(separator: "=")[1].split(separator: "/").map(String.init)
        segments = ["v1"] + variable + tail[0].split(separator: "/").map(String.init)
        self.variable = 1..<(1 + variable.count)
        verb = tail.count == 2 ? String(tail[1]) : ""
    }

    /// Matches a path.
    ///
    /// - Parameters:
    ///   - path: The segments, decoded.
    ///   - verb: What followed the colon of the last segment; empty for none.
    /// - Returns: The value of the variable; nil if the path doesn't match.
    func match(_ path: [String], verb: String) -> String? {
        guard path.count == segments.count, verb == self.verb,
            zip(path, segments).allSatisfy({ $1 == "*" || $0 == $1 })
        else { return nil }
        return path[variable].joined(separator: "/")
    }
}
