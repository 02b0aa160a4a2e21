package import SystemPackage

/// An error whose description holds no secret and no ID, so that a log may have it.
package protocol LoggableError: Error, CustomStringConvertible {}

extension Errno: LoggableError {}

/// The loggable text of an error: the text of a ``LoggableError``, and only the type of others.
package struct OperatorMessage: CustomStringConvertible {
    package let description: String

    package init(_ error: any Error) {
        description = (error as? any LoggableError)?.description ?? String(reflecting: type(of: error))
    }
}

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

/// Why a file cannot be read, written or trusted.
///
/// Its text is for the operator, never for a caller.
package struct FileError: LoggableError, Hashable {
    /// The file, the problem and its solution, without any of the file's content.
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
