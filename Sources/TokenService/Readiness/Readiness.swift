import ServiceSupport
import TokenMinting

/// Whether requests may be sent here, and why not.
struct Readiness: Sendable {
    /// The checks, in the order of the report.
    private let checks: @Sendable () -> [ReadinessCheck]

    /// Creates a list of checks that may change with the configuration.
    init(checks: @escaping @Sendable () -> [ReadinessCheck] = { [] }) {
        self.checks = checks
    }

    /// Runs all checks.
    func report() async -> Report {
        var lines: [Report.Line] = []
        for check in checks() { lines.append(Report.Line(check: check, problem: await check.problem())) }
        return Report(lines: lines)
    }

    /// The result of all checks.
    struct Report: Sendable {
        fileprivate struct Line: Sendable {
            let check: ReadinessCheck
            let problem: String?
        }

        fileprivate let lines: [Line]

        /// Whether requests may be sent here.
        var isReady: Bool { lines.allSatisfy { $0.problem == nil || !$0.check.isRequired } }

        /// A line for each check, in the form that Kubernetes' own components have.
        var text: String {
            let checks = lines.map { line in
                if let problem = line.problem { return "[-]\(line.check.name) failed: \(problem.harmlessLine)" }
                return "[+]\(line.check.name) ok"
            }
            return (checks + ["readyz check \(isReady ? "passed" : "failed")"]).map { "\($0)\n" }.joined()
        }
    }
}

/// One readiness check.
struct ReadinessCheck: Sendable {
    /// The name, one word.
    let name: String
    /// Whether its failure makes the service unready; otherwise it is only reported.
    var isRequired = true
    /// The problem and its solution, without secrets and IDs; nil if there is none.
    let problem: @Sendable () async -> String?
}
