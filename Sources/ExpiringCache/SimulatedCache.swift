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

    /// Requests the value, as a caller of ``ExpiringCache`` does.
    ///
    /// - Parameters:
    ///   - time: The time in seconds; it must not go back.
    ///   - jitter: A random number between 0 and 1.
    ///   - lifetime: The lifetime of a value that is fetched now, in seconds; `nil` if the fetch fails.
    /// - Returns: Whether the caller gets a value, and whether the request starts a fetch.
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
            let end: CacheState<Int, Void>.Input =
                if let lifetime { .succeed(plan, Fetched((), lifetime: lifetime)) } else {
                    .fail(plan, NoResponse(), .retryable())
                }
            answers += state.handle(end, at: now, jitter: jitter).answers
        }
        let hasValue = answers.contains { answer in
            if case .success = answer.result { true } else { false }
        }
        return (hasValue, !requested.starts.isEmpty)
    }

    /// When the refresh of the value becomes due, in seconds; `nil` without a value.
    package var refreshTime: Seconds? {
        state.entries[Self.key].map { ($0.origin.continuous &+ $0.lifespan.fresh).seconds }
    }
}
