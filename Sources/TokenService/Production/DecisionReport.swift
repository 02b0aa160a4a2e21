package import ServiceConfiguration
import ServiceSupport
package import StrictCoding
import TokenIssuance
import TokenMinting

/// Decisions compared with what an operator expects.
package struct DecisionReport: Sendable {
    /// The file of expected decisions.
    package let path: String
    /// How many decisions it has.
    package let count: Int
    /// The differences, and entries that are invalid.
    package let problems: [ConfigurationProblem]

    /// Decides each request of a file.
    ///
    /// - Parameters:
    ///   - mode: The configuration.
    ///   - path: The file's path.
    ///   - yaml: The file's bytes.
    package init(_ mode: ProductionMode, path: String, yaml: [UInt8]) {
        self.path = path
        let expected = ExpectedDecisions(yaml: yaml, configuration: mode.configuration)
        for entry in expected.entries {
            let decision = mode.authorizer.decideWithoutWebhooks(entry.caller, entry.scope)
            guard decision.outcome != entry.expected else { continue }
            entry.value.report("is \(decision.outcome), expected \(entry.expected). \(decision)")
        }
        count = expected.entries.count
        problems = expected.problems.list
    }

    /// The problems, a line each, and how many there are.
    package var problemText: String {
        let lines = problems.map { "\(path): \($0)".harmlessLine }
        return (lines + ["\(problems.count) problem\(problems.count == 1 ? "" : "s")."]).joined(separator: "\n")
    }

    /// The report for programs: schema 1, to which later versions only add.
    package var json: JSONValue {
        JSONValue(members: [
            ("schema", .integer(1)), ("ok", .bool(problems.isEmpty)), ("decisions", .integer(Int64(count))),
            ("problems", .array(problems.map(\.json))),
        ])
    }
}
