package import ServiceSupport

/// One thing that a command found: a check's result, a problem of a configuration, or a grant's verdict.
package struct Finding: Hashable, Sendable {
    /// The severity.
    package enum Level: String, Hashable, Sendable {
        /// As it should be.
        case ok
        /// It works, or could not be checked, but needs attention.
        case warn
        /// The service doesn't start, or its tokens are refused.
        case fail = "FAIL"
        /// It was not checked.
        case skip

        /// The name for programs.
        package var name: String {
            switch self {
            case .ok: "ok"
            case .warn: "warning"
            case .fail: "failure"
            case .skip: "skipped"
            }
        }
    }

    /// The severity.
    package let level: Level
    /// The subject: a path in the configuration, or a name; empty for a file as a whole.
    package let subject: String
    /// The line of the configuration that it is about; nil where there is none.
    package let line: Int?
    /// The result, and what to do about it.
    package let text: String

    package init(_ level: Level, subject: String, _ text: String, line: Int? = nil) {
        self.level = level
        self.subject = subject
        self.line = line
        self.text = text
    }

    /// Creates the finding about a setting.
    package init(_ level: Level, _ problem: Problem) {
        self.init(level, subject: problem.setting, problem.message, line: problem.line)
    }
}

extension [Finding] {
    package var haveFailure: Bool { contains { $0.level == .fail } }

    func count(of level: Finding.Level) -> Int { count { $0.level == level } }
}
