package import ExpiringCache
import FleetToken

/// The time that dealing with Google goes by.
package struct GoogleTime: Sendable {
    /// The clock for ages and the time of day.
    let clock: CacheClock
    /// Ends fetches that time out.
    let scheduler: CacheScheduler
    /// Waits for a number of seconds.
    let sleep: @Sendable (Seconds) async throws -> Void
    /// Draws a number between 0 and 1.
    let random: @Sendable () -> Double

    /// Creates a time source with other clocks.
    package init(
        clock: CacheClock,
        scheduler: CacheScheduler,
        sleep: @escaping @Sendable (Seconds) async throws -> Void,
        random: @escaping @Sendable () -> Double
    ) {
        self.clock = clock
        self.scheduler = scheduler
        self.sleep = sleep
        self.random = random
    }

    package static let system = GoogleTime(
        clock: .system,
        scheduler: .system,
        sleep: { try await Task.sleep(for: .seconds($0)) },
        random: { .random(in: 0..<1) }
    )

    var now: NumericDate { NumericDate(seconds: clock.wall() / 1_000_000_000) }

    /// Seconds since some fixed moment.
    var uptime: Seconds { Seconds(clock.continuous()) / 1e9 }
}
