package import FleetToken

/// A pattern for whole IDs, matched in time linear in the ID's length.
///
/// It is a small regular language: characters, classes such as `[A-Za-z0-9-]`, groups with alternatives such as
/// `(car|van)`, and the quantifiers `?`, `*`, `+`, `{n}` and `{n,m}`. It always matches the whole ID. There are no
/// wildcard characters, negations or escapes: `[.]` is a dot.
package struct IDPattern: Sendable, Hashable {
    /// The pattern as it was written.
    let text: String

    private let automaton: PositionAutomaton

    /// Creates a pattern by parsing a text.
    ///
    /// - Throws: ``IDPatternError`` with the position of the first error and its solution; also if the pattern matches
    ///   every ID, for which `any` exists.
    init(_ text: String) throws(IDPatternError) {
        let syntax = try IDPatternParser.parse(text)
        guard !syntax.matchesEveryID else {
            throw IDPatternError(position: 1, "it matches every ID: write any instead of a pattern")
        }
        self.text = text
        automaton = PositionAutomaton(syntax)
    }

    /// Returns whether the pattern matches the whole ID.
    package func matches(_ id: ResourceID) -> Bool {
        automaton.run(id.rawValue.utf8).isAccepted
    }
}

extension IDPatternSyntax {
    /// Whether the pattern matches every ID of ASCII characters, except `.` and `..`, which are not valid IDs.
    fileprivate var matchesEveryID: Bool {
        let dots = Self.repeated(.byte([UInt8(ascii: ".")]), 1...2)
        return PositionAutomaton(.alternatives([self, dots]))
            .acceptsAll(of: Self.idBytes, upTo: ResourceID.maximumScalars)
    }
}

/// Why a text is not an ``IDPattern``, and how to fix it.
struct IDPatternError: Error, Hashable, CustomStringConvertible {
    /// Where: 1 is the first character.
    let position: Int
    /// The problem and its solution.
    let message: String

    init(position: Int, _ message: String) {
        self.position = position
        self.message = message
    }

    var description: String { "at character \(position), \(message)" }
}
