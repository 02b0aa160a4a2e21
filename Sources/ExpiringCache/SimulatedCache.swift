package import Timing

/// A cache of one value on a simulated clock: the state machine without a lock, tasks or timers.
///
/// A fetch takes no time.
package struct SimulatedCache: Sendable {
    private struct NoResponse: Error {}

    private static let key = 0
    private var state: CacheState<Int, Void>

    /// Creates an empty cache.
    package init(_ configuration: CacheConfiguration) {
        var configuration = configuration
        configuration.capacity = 1
        state = CacheState(configuration)
    }

    /// Requests the value, as a caller of ``ExpiringCache`` does, at a time in seconds that must not go back.
    ///
    /// - Returns: Whether the caller gets a value, and whether the request starts a fetch, which fails without a lifetime.
    package mutating func request(
        at time: Seconds,
        jitter: Double,
        lifetime: Seconds?
    ) -> (hasValue: Bool, isFetch: Bool) {
        let nanoseconds = Int64(nanosecondsIn: time)
        let now = Instant(continuous: nanoseconds, wall: nanoseconds)
        let request = CacheState<Int, Void>.Request(key: Self.key, waiter: state.nextID())
        let requested = state.handle(.request(request), at: now, jitter: jitter)
        var answers = requested.answers
        for plan in requested.starts {
            let end = lifetime.map { CacheState<Int, Void>.Input.succeed(plan, Fetched((), lifetime: $0)) }
            answers += state.handle(end ?? .fail(plan, NoResponse(), .retryable()), at: now, jitter: jitter).answers
        }
        return (answers.contains { (try? $0.result.get()) != nil }, !requested.starts.isEmpty)
    }

    /// When the refresh of the value becomes due, in seconds; `nil` without a value.
    package var refreshTime: Seconds? {
        state.entries[Self.key].map { ($0.origin.continuous &+ $0.lifespan.fresh).seconds }
    }
}
