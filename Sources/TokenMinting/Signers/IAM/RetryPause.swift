import ExpiringCache
import ServiceSupport
import Synchronization
import Timing

/// Pauses requests to a service after a `Retry-After` or a refusal, for all requests and not only for the one that got
/// it.
final class RetryPause: Sendable {
    private let clock: ServiceClock
    private let state = Mutex<(end: Seconds, reason: IAMError)?>(nil)

    init(clock: ServiceClock) {
        self.clock = clock
    }

    /// Begins a pause; it does not shorten a current one.
    func begin(_ seconds: Seconds, _ reason: IAMError) {
        let end = clock.uptime + seconds
        state.withLock { state in
            if end > state?.end ?? 0 { state = (end, reason) }
        }
    }

    /// - Throws: ``IAMError`` with the time that is left of a pause.
    func check() throws(IAMError) {
        guard let (end, reason) = state.withLock({ $0 }) else { return }
        let left = end - clock.uptime
        guard left > 0 else { return }
        throw IAMError(
            reason.code,
            reason.description,
            retry: reason.retry == .permanent ? .permanent : .retryable(after: left)
        )
    }
}

extension ServiceClock {
    /// Seconds since a fixed moment, on the clock that only goes forward.
    var uptime: Seconds { Seconds(monotonic) / 1e9 }
}
