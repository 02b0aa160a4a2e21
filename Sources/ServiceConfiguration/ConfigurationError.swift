import TokenMinting

/// Why the service doesn't start, and what to change.
package struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Everything that is wrong, a line each.
    package let problems: [String]

    /// An error with all that was found.
    package init(_ problems: String...) {
        self.problems = problems
    }

    /// An error with all that was found, in a list.
    package init(problems: [String]) {
        self.problems = problems
    }

    /// The problems, a line each, with whatever could act on a terminal escaped: they repeat what files say.
    package var description: String { problems.map(\.harmlessLine).joined(separator: "\n") }
}
