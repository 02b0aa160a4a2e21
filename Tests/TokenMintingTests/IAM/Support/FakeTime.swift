import ExpiringCache
import FleetToken
import Synchronization

@testable import TokenMinting

/// Time that passes when somebody waits, and at once; the signer's limit alone never comes, unless a test wants it to.
final class FakeTime: Sendable {
    /// The signer's limit, by which its waiting is told from others'.
    static let limit: Seconds = 7

    private struct State {
        var now: Int64 = 1_000_000_000_000
        /// How far the wall clock was set.
        var shift: Int64 = 1_795_000_000_000_000_000
        var waits: [Seconds] = []
        var isLimitReached = false
    }

    private let state = Mutex(State())

    /// What was waited for, but the limit.
    var waits: [Seconds] { state.withLock { $0.waits } }

    /// The wall clock.
    var date: NumericDate { time.now }

    func advance(by seconds: Seconds) {
        state.withLock { $0.now += Int64(seconds * 1e9) }
    }

    /// Sets the wall clock, while no time passes.
    func set(by seconds: Seconds) {
        state.withLock { $0.shift += Int64(seconds * 1e9) }
    }

    func reachLimit() {
        state.withLock { $0.isLimitReached = true }
    }

    var time: GoogleTime {
        GoogleTime(
            clock: CacheClock(
                continuous: { self.state.withLock { $0.now } },
                wall: { self.state.withLock { $0.now + $0.shift } }
            ),
            scheduler: CacheScheduler { _, _ in {} },
            sleep: { seconds in
                if seconds == Self.limit {
                    guard !self.state.withLock({ $0.isLimitReached }) else { return }
                    // Until it is cancelled.
                    try await Task.sleep(for: .seconds(86_400))
                } else {
                    self.state.withLock { $0.waits.append(seconds) }
                    self.advance(by: seconds)
                }
            },
            random: { 0.5 }
        )
    }
}
