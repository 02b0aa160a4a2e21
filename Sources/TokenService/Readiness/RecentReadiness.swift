import ServiceSupport
import Synchronization

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
