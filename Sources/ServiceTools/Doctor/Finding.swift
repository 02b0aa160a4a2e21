package import StrictCoding

/// The result of one check.
package struct Finding: Hashable, Sendable {
    /// The severity.
    package enum Level: String, Hashable, Sendable {
        /// As it should be.
        case ok
        /// It works, or could not be checked, but needs attention.
        case warn
        /// The service doesn't start, or its tokens are refused.
        case fail = "FAIL"
    }

    /// The severity.
    package let level: Level
    /// The subject: a path in the configuration, or a name.
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
}

extension [Finding] {
    package var haveFailure: Bool { contains { $0.level == .fail } }

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

    /// How many findings there are of each sort: `6 failed, 1 warning, 2 ok`.
    package var summary: String {
        let warnings = count(of: .warn)
        let parts = [
            "\(count(of: .fail)) failed", warnings == 0 ? nil : "\(warnings) warning\(warnings == 1 ? "" : "s")",
            "\(count(of: .ok)) ok",
        ]
        return parts.compactMap(\.self).joined(separator: ", ") + "\n"
    }

    /// The findings for programs: schema 1, to which later versions only add.
    package var json: JSONValue {
        let findings = map { finding in
            JSONValue(members: [
                ("level", .string(finding.level.name)), ("subject", .string(finding.subject)),
                ("line", finding.line.map { .integer(Int64($0)) } ?? .null), ("message", .string(finding.text)),
            ])
        }
        return JSONValue(members: [
            ("schema", .integer(1)), ("ok", .bool(!haveFailure)), ("failed", .integer(Int64(count(of: .fail)))),
            ("warnings", .integer(Int64(count(of: .warn)))), ("passed", .integer(Int64(count(of: .ok)))),
            ("findings", .array(findings)),
        ])
    }

    private func count(of level: Finding.Level) -> Int { count { $0.level == level } }
}

extension Finding.Level {
    /// The level's name in JSON.
    fileprivate var name: String {
        switch self {
        case .ok: "ok"
        case .warn: "warning"
        case .fail: "failure"
        }
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: Swift.max(0, width - count))
    }
}
