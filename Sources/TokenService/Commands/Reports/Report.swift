package import FleetToken
import ServiceSupport

/// What a check found: for people as text, and for programs as JSON.
package struct Report: Sendable {
    /// The findings, in the order in which they are shown.
    package let findings: [Finding]
    /// The file that was checked, whose problems are a line each as a compiler's; nil for a table of all findings.
    private let file: String?
    /// The sentence for a file without a problem.
    private let success: String

    /// Creates a report with all findings, those that are well too: a table.
    package init(_ findings: [Finding]) {
        self.findings = findings
        file = nil
        success = ""
    }

    /// Creates the report of a file.
    init(_ findings: [Finding], of file: String, success: String) {
        self.findings = findings
        self.file = file
        self.success = success
    }
}

// MARK: - For people

extension Report {
    /// Returns what goes to standard output.
    package func text(isQuiet: Bool) -> String {
        if file != nil { return isQuiet || findings.haveFailure ? "" : success + "\n" }
        return (isQuiet ? findings.filter { $0.level != .ok } : findings).table + findings.summary
    }

    /// Returns what goes to standard error: a file's warnings and problems, and how many problems there are.
    package func notes(isQuiet: Bool) -> [String] {
        guard let file else { return [] }
        let (problems, warnings) = (findings.filter { $0.level == .fail }, findings.filter { $0.level == .warn })
        return (isQuiet ? [] : warnings.map { $0.line(of: file) }) + problems.map { $0.line(of: file) }
            + (problems.isEmpty ? [] : ["\(problems.count) problem\(problems.count == 1 ? "" : "s")."])
    }
}

extension Finding {
    /// Returns the finding as compilers write theirs: `tokend.yaml:12: warning: grants.driver.ids: …`.
    fileprivate func line(of file: String) -> String {
        let location = line.map { "\(file):\($0)" } ?? file
        let parts = [location, level == .warn ? "warning" : nil, subject.isEmpty ? nil : subject, text]
        return parts.compactMap(\.self).joined(separator: ": ").harmlessLine
    }
}

extension [Finding] {
    /// The findings, a line each, in columns.
    package var table: String {
        let width = map(\.subject.count).max() ?? 0
        return map { finding in
            let level = finding.level.rawValue.padded(to: 4)
            // One line each: a line break in the text becomes a space.
            let text = finding.text.split(whereSeparator: \.isNewline).joined(separator: " ")
            let line = finding.line.map { "line \($0): " } ?? ""
            return "\(level)  \(finding.subject.padded(to: width))  \(line)\(text)\n"
        }.joined()
    }

    /// How many findings there are of each level: `6 failed, 1 warning, 2 ok`.
    fileprivate var summary: String {
        let (warnings, skipped) = (count(of: .warn), count(of: .skip))
        let parts = [
            "\(count(of: .fail)) failed", warnings == 0 ? nil : "\(warnings) warning\(warnings == 1 ? "" : "s")",
            skipped == 0 ? nil : "\(skipped) skipped", "\(count(of: .ok)) ok",
        ]
        return parts.compactMap(\.self).joined(separator: ", ") + "\n"
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: Swift.max(0, width - count))
    }
}

// MARK: - For programs

extension Report {
    /// The report for programs: schema 1, to which later versions only add.
    package var json: JSONValue {
        JSONValue(members: [
            ("schema", .integer(1)), ("ok", .bool(!findings.haveFailure)), ("failed", count(.fail)),
            ("warnings", count(.warn)), ("passed", count(.ok)), ("findings", .array(findings.map(\.json))),
        ])
    }

    private func count(_ level: Finding.Level) -> JSONValue { .integer(Int64(findings.count(of: level))) }
}

extension Finding {
    fileprivate var json: JSONValue {
        JSONValue(members: [
            ("level", .string(level.name)), ("subject", subject.isEmpty ? .null : .string(subject)),
            ("line", line.map { .integer(Int64($0)) } ?? .null), ("message", .string(text)),
        ])
    }
}
