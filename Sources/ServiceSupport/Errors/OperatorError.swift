/// What is wrong with the configuration, a file or a key, and what to change.
///
/// Its text is for the operator, never for a caller, and contains no part of a secret.
package struct OperatorError: LoggableError, Hashable {
    /// Everything that is wrong.
    package let problems: [Problem]

    package init(_ message: String, setting: String = "") {
        problems = [Problem(message, setting: setting)]
    }

    package init(problems: [Problem]) {
        self.problems = problems
    }

    /// Runs a function whose errors are problems with a setting, or with a part of it.
    package static func within<Result>(
        _ setting: String,
        _ body: () throws -> Result
    ) throws(OperatorError) -> Result {
        do {
            return try body()
        } catch {
            throw OperatorError(problems: Problem.all(of: error).map { $0.within(setting) })
        }
    }

    /// The problems, one per line.
    ///
    /// Characters that could act on a terminal are escaped, because the text repeats file contents.
    package var description: String { problems.map(\.description.harmlessLine).joined(separator: "\n") }
}
