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
    ///
    /// - Returns: Whether requests may be sent here; and a line for each check, in the form that Kubernetes' own
    ///   components have.
    func report() async -> (isReady: Bool, text: String) {
        var (isReady, lines) = (true, [String]())
        for check in checks() {
            let problem = await check.problem()
            if problem != nil, check.isRequired { isReady = false }
            lines.append(problem.map { "[-]\(check.name) failed: \($0.harmlessLine)" } ?? "[+]\(check.name) ok")
        }
        lines.append("readyz check \(isReady ? "passed" : "failed")")
        return (isReady, lines.map { "\($0)\n" }.joined())
    }
}
