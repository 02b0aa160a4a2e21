package import FleetToken

/// A pattern for whole IDs, matched in time linear in the ID's length.
///
/// It is a small regular language: characters, classes such as `[A-Za-z0-9-]`, groups with alternatives such as
/// `(car|van)`, and the quantifiers `?`, `*`, `+`, `{n}` and `{n,m}`. It always matches from the first byte to the last.
/// No character stands for any other, and there is no negation and no escape: `[.]` is a dot.
package struct IDPattern: Sendable, Hashable {
    /// The pattern as it was written.
    let text: String

    private let automaton: PositionAutomaton

    /// Reads a pattern.
    ///
    /// - Throws: ``IDPatternError`` with the place of the first fault and what to write instead; also when the pattern
    ///   matches every ID, since `any` says that.
    init(_ text: String) throws(IDPatternError) {
        let syntax = try IDPatternParser.parse(text)
        guard !syntax.matchesEveryID else {
            throw IDPatternError(position: 1, "it matches every ID: write any instead of a pattern")
        }
        self.text = text
        automaton = PositionAutomaton(syntax)
    }

    /// Whether the whole ID matches.
    package func matches(_ id: ResourceID) -> Bool {
        automaton.run(id.rawValue.utf8).isAccepted
    }
}

extension IDPatternSyntax {
    /// Whether every ID of ASCII characters matches; `.` and `..` are no IDs, so they need not.
    fileprivate var matchesEveryID: Bool {
        let dots = Self.repeated(.byte([UInt8(ascii: ".")]), 1...2)
        return PositionAutomaton(.alternatives([self, dots]))
            .acceptsAll(of: Self.idBytes, upTo: ResourceID.maximumScalars)
    }
}
