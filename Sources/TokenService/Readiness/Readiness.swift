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

/// Whether requests may be sent here, checked at most once per second: anyone can request it on the public listener.
final class RecentReadiness: Sendable {
    /// The time for which a result is used, in nanoseconds.
    static let lifetime: Int64 = 1_000_000_000

    private struct State {
        var isReady = false
        /// When the result is no longer used; nil before the first.
        var end: Int64?
    }

    private let state = Mutex(State())
    private let check: @Sendable () async -> Bool
    private let clock: ServiceClock

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
                if let end = state.end, now < end { return state.isReady }
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
