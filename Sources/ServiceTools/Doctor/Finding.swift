/// The result of one check.
package struct Finding: Hashable, Sendable {
    /// How it is.
    package enum Level: String, Hashable, Sendable {
        /// As it should be.
        case ok
        /// It works, or could not be checked, and needs attention.
        case warn
        /// The service doesn't start, or its tokens are refused.
        case fail = "FAIL"
    }

    /// How it is.
    package let level: Level
    /// The subject: a path in the configuration, or a name.
    package let subject: String
    /// The result, and what to do about it.
    package let text: String

    /// Creates a finding.
    package init(_ level: Level, _ subject: String, _ text: String) {
        self.level = level
        self.subject = subject
        self.text = text
    }
}

extension [Finding] {
    /// Whether any finding is a failure.
    package var haveFailure: Bool { contains { $0.level == .fail } }

    /// The findings, a line each, in columns.
    package var table: String {
        let width = map(\.subject.count).max() ?? 0
        return map { finding in
            let level = finding.level.rawValue.padded(to: 4)
            // One line each, whatever the text contains.
            let text = finding.text.split(whereSeparator: \.isNewline).joined(separator: " ")
            return "\(level)  \(finding.subject.padded(to: width))  \(text)\n"
        }.joined()
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: Swift.max(0, width - count))
    }
}
