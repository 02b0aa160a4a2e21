import ServiceSupport
import Synchronization
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

/// One readiness check.
struct ReadinessCheck: Sendable {
    /// The name, one word.
    let name: String
    /// Whether its failure makes the service unready; otherwise it is only reported.
    var isRequired = true
    /// The problem and its solution, without secrets and IDs; nil if there is none.
    let problem: @Sendable () async -> String?
}

/// Whether requests may be sent here, checked at most once per second: anyone can request it on the public listener.
final class RecentReadiness: Sendable {
    /// The time for which a result is used, in nanoseconds.
    static let lifetime: Int64 = 1_000_000_000

    /// The result, and when it is no longer used.
    private let state = Mutex((isReady: false, end: Int64.min))
    private let check: @Sendable () async -> Bool
    private let clock: ServiceClock

    /// Creates the value of a list of checks.
    convenience init(of readiness: Readiness, clock: ServiceClock) {
        self.init(clock: clock) { await readiness.report().isReady }
    }

    /// Creates a value that has not been checked.
    init(clock: ServiceClock, check: @escaping @Sendable () async -> Bool) {
        self.check = check
        self.clock = clock
    }

    /// Whether requests may be sent here.
    ///
    /// While a check runs, other requests get the previous result.
    var isReady: Bool {
        get async {
            let now = clock.monotonic
            let known: Bool? = state.withLock { state in
                if now < state.end { return state.isReady }
                state.end = now + Self.lifetime
                return nil
            }
            if let known { return known }
            let isReady = await check()
            state.withLock { $0.isReady = isReady }
            return isReady
        }
    }
}
