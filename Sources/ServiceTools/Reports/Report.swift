import ServiceConfiguration
import ServiceSupport
package import StrictCoding

/// What a command found: for people as text, and for programs as JSON.
package struct Report: Sendable {
    /// How the findings are shown.
    enum Form: Sendable {
        /// The problems and warnings of a file, a line each; one sentence where there is no problem.
        case list(file: String, detail: (name: String, value: JSONValue), success: String)
        /// Each finding in columns, and how many there are of each level.
        case table
        /// The outcome, and the steps that led to it.
        case steps(ExpectedDecisions.Outcome, grant: String?)
    }

    /// The findings, in the order in which they are shown.
    package let findings: [Finding]
    let form: Form

    init(_ findings: [Finding], as form: Form) {
        self.findings = findings
        self.form = form
    }

    /// Creates the report of a doctor.
    package init(_ findings: [Finding]) {
        self.init(findings, as: .table)
    }
}

// MARK: - For people

extension Report {
    /// Returns what goes to standard output.
    ///
    /// - Parameter isQuiet: Whether only problems are shown.
    /// - Returns: Whole lines.
    package func text(isQuiet: Bool) -> String {
        switch form {
        case .list(_, _, let success): isQuiet || findings.haveFailure ? "" : success + "\n"
        case .table: (isQuiet ? findings.filter { $0.level != .ok } : findings).table + findings.summary
        case .steps(let outcome, _):
            isQuiet
                ? ""
                : (["\(outcome)"] + findings.map { "  \($0.subject): \($0.text)".harmlessLine })
                    .map { "\($0)\n" }.joined()
        }
    }

    /// Returns what goes to standard error: a list's warnings and problems, and how many problems there are.
    ///
    /// - Parameter isQuiet: Whether only problems are shown.
    /// - Returns: The lines.
    package func notes(isQuiet: Bool) -> [String] {
        guard case .list(let file, _, _) = form else { return [] }
        let (problems, warnings) = (findings.filter { $0.level == .fail }, findings.filter { $0.level == .warn })
        return (isQuiet ? [] : warnings.map { "\(file): warning: \($0.description)".harmlessLine })
            + problems.map { "\(file): \($0.description)".harmlessLine }
            + (problems.isEmpty ? [] : ["\(problems.count) problem\(problems.count == 1 ? "" : "s")."])
    }
}

extension Finding: CustomStringConvertible {
    /// `line 12: grants.driver.ids: …`.
    package var description: String {
        ConfigurationProblem(path: subject, line: line, message: text).description
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
        let warnings = count(of: .warn)
        let parts = [
            "\(count(of: .fail)) failed", warnings == 0 ? nil : "\(warnings) warning\(warnings == 1 ? "" : "s")",
            "\(count(of: .ok)) ok",
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
        let ok = ("ok", JSONValue.bool(!findings.haveFailure))
        let members: [(name: String, value: JSONValue)] =
            switch form {
            case .list(_, let detail, _):
                [ok, detail, ("problems", settings(.fail)), ("warnings", settings(.warn))]
            case .table:
                [
                    ok, ("failed", count(.fail)), ("warnings", count(.warn)), ("passed", count(.ok)),
                    ("findings", .array(findings.map(\.check))),
                ]
            case .steps(let outcome, let grant):
                [
                    ("outcome", .string(outcome.rawValue)), ("grant", grant.map { .string($0) } ?? .null),
                    ("grants", .array(findings.map(\.step))),
                ]
            }
        return JSONValue(members: [("schema", .integer(1))] + members)
    }

    private func count(_ level: Finding.Level) -> JSONValue { .integer(Int64(findings.count(of: level))) }

    private func settings(_ level: Finding.Level) -> JSONValue {
        .array(findings.filter { $0.level == level }.map(\.setting))
    }
}

extension Finding {
    /// The problem of a setting; null for a file as a whole.
    fileprivate var setting: JSONValue {
        JSONValue(members: [("setting", subject.isEmpty ? .null : .string(subject)), lineMember, message])
    }

    /// The result of a check.
    fileprivate var check: JSONValue {
        let name =
            switch level {
            case .ok: "ok"
            case .warn: "warning"
            case .fail: "failure"
            }
        return JSONValue(members: [("level", .string(name)), ("subject", .string(subject)), lineMember, message])
    }

    /// A grant's verdict.
    fileprivate var step: JSONValue {
        let verdict = ExpectedDecisions.Outcome(level)
        return JSONValue(members: [("grant", .string(subject)), ("verdict", .string(verdict.rawValue)), message])
    }

    private var lineMember: (name: String, value: JSONValue) {
        ("line", line.map { .integer(Int64($0)) } ?? .null)
    }

    private var message: (name: String, value: JSONValue) { ("message", .string(text)) }
}
