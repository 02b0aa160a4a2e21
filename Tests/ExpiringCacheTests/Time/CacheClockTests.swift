import Foundation
import TestTraits
import Testing
import Timing

@testable import ExpiringCache

@Suite("The system's clocks", .watchdog)
struct CacheClockTests {
    @Test("The system's clocks run")
    func systemClocksRun() {
        let before = AgeClock.system.now
        while AgeClock.system.now.continuous == before.continuous {}
        #expect(AgeClock.system.now.continuous > before.continuous)
        #expect(abs(AgeClock.system.now.wall.seconds - Date().timeIntervalSince1970) < 1)
    }

    #if os(Linux)
    /// On Linux only this clock goes on while the system sleeps.
    @Test("The continuous clock runs during sleep", .tags(.b18))
    func continuousClockIsTheOneThatRunsDuringSleep() {
        let before = nanoseconds(CLOCK_BOOTTIME)
        let reading = AgeClock.system.now.continuous
        #expect((before...nanoseconds(CLOCK_BOOTTIME)).contains(reading))
    }

    private func nanoseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
    #endif

    @Test("A call times out on the system's clock")
    func callsEndOnTheSystemsTime() async throws {
        var configuration = CacheConfiguration.patient
        configuration.callTimeout = 0.001
        let cache = ExpiringCache<String, Int>(configuration: configuration) { _, _ in
            try await Task.sleep(nanoseconds: .max)
            return Fetched(1, lifetime: 60)
        }
        await #expect { try await cache.value(for: "a") } throws: { error in
            (error as? CacheError)?.code == .timedOut
        }
    }
}
