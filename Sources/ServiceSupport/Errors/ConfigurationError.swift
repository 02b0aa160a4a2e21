/// Why the service does not start, and what to change.
package struct ConfigurationError: LoggableError, Hashable {
    /// Everything that is wrong, a line each.
    package let problems: [String]

    package init(_ problems: String...) {
        self.problems = problems
    }

    package init(problems: [String]) {
        self.problems = problems
    }

    /// The problems, one per line.
    ///
    /// Characters that could act on a terminal are escaped, because the text repeats file contents.
    package var description: String { problems.map(\.harmlessLine).joined(separator: "\n") }
}
