import ExpiringCache
import Foundation
import TokenProvider

/// A clock and timers that run faster than real time.
struct DemoTime: Sendable {
    let speed: Double
    private let start = CacheClock.system.continuous()
    private let wallStart = CacheClock.system.wall()

    init(speed: Double) {
        self.speed = speed
    }

    /// The seconds since the demo began.
    var now: Double { Double(CacheClock.system.continuous() - start) / 1e9 * speed }

    /// The date on the demo's clock.
    var date: Date { Date(timeIntervalSince1970: Double(wallStart) / 1e9 + now) }

    /// The clocks and timers of Fleet Engine's client.
    var environment: ProviderEnvironment {
        ProviderEnvironment(
            clock: clock,
            scheduler: CacheScheduler { [speed] in CacheScheduler.system.schedule($0 / speed, $1) }
        )
    }

    /// The clock of the token provider, whose time limits are for real requests.
    var clock: CacheClock {
        CacheClock(
            continuous: { [self] in start + Int64(now * 1e9) },
            wall: { [self] in wallStart + Int64(now * 1e9) }
        )
    }

    func sleep(_ seconds: Double) async throws {
        try await Task.sleep(for: .seconds(seconds / speed))
    }
}
