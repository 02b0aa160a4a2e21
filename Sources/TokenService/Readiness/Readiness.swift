import ServiceSupport

/// Whether requests may be sent here, and why not.
struct Readiness: Sendable {
    /// What load balancers are told.
    enum State: String {
        case ok
        case unready
        case draining
    }

    struct Check: Sendable {
        /// The name, one word.
        let name: String
        /// Whether its failure makes the service unready; otherwise it is only reported.
        var isRequired = true
        /// What the report adds if there is no problem.
        var note: String?
        /// The problem and its solution, without secrets and IDs; nil if there is none.
        let problem: @Sendable () async -> String?
    }

    private let lifecycle: Lifecycle
    /// The checks, in the order of the report.
    private let checks: @Sendable () -> [Check]

    /// Creates a list of checks that may change with the time.
    init(_ lifecycle: Lifecycle, checks: @escaping @Sendable () -> [Check] = { [] }) {
        self.lifecycle = lifecycle
        self.checks = checks
    }

    /// Runs all checks, unless the service is draining.
    ///
    /// - Returns: The state; and a line for each check, in the form that Kubernetes' own components have.
    func report() async -> (state: State, text: String) {
        guard !lifecycle.isDraining else { return (.draining, "") }
        var (state, lines) = (State.ok, [String]())
        for check in checks() {
            let problem = await check.problem()
            if problem != nil, check.isRequired { state = .unready }
            let note = check.note.map { ", \($0.harmlessLine)" } ?? ""
            lines.append(problem.map { "[-]\(check.name) failed: \($0.harmlessLine)" } ?? "[+]\(check.name) ok\(note)")
        }
        lines.append("readyz check \(state == .ok ? "passed" : "failed")")
        return (state, lines.map { "\($0)\n" }.joined())
    }
}
