import FleetToken
import ServiceSupport
import Synchronization
import TestSupport
import TestTime
import TestTraits
import Testing
import Timing

/// The service's time, and the one that tests advance in its place.
@Suite("The service's clock", .watchdog)
struct ServiceClockTests {
    @Test("The system's clock tells the time of day, goes forward, and draws numbers below 1")
    func system() {
        let clock = ServiceClock.system
        #expect(abs(clock.now - .now) <= 1)
        let start = clock.monotonic
        while clock.monotonic == start {}
        #expect(clock.monotonic > start)
        #expect(clock.duration(since: start) > .zero)
        #expect((0..<1000).allSatisfy { _ in (0..<1).contains(clock.random()) })
    }

    @Test("A cancelled sleep on the system's clock ends immediately with an error")
    func cancelledSleep() async {
        let sleep = Task { try await ServiceClock.system.sleep(for: .seconds(86_400)) }
        sleep.cancel()
        await #expect(throws: CancellationError.self) { try await sleep.value }
    }

    @Test(
        "The time of day is rounded down",
        arguments: [(0, 0), (1_999_999_999, 1), (-1, -1), (-1_000_000_000, -1), (-1_000_000_001, -2)]
            as [(Int64, Int64)]
    )
    func roundedDown(nanoseconds: Int64, seconds: Int64) {
        let stopped = ServiceClock.stopped()
        let clock = ServiceClock(
            cache: AgeClock(continuous: { 0 }, wall: { nanoseconds }),
            scheduler: stopped.scheduler,
            sleep: stopped.sleep,
            random: stopped.random
        )
        #expect(clock.now == NumericDate(seconds: seconds))
    }

    @Test("On a test's clock timeouts and sleeps end in the order of their times, once it is advanced so far")
    func order() async throws {
        let clock = TestClock()
        let ended = Mutex<[String]>([])
        let cancel = clock.scheduler.schedule(2) { ended.withLock { $0.append("cancelled") } }
        _ = clock.scheduler.schedule(3) { ended.withLock { $0.append("timeout \(clock.now.seconds)") } }
        let sleep = Task {
            try await clock.service.sleep(for: .seconds(2))
            ended.withLock { $0.append("sleep") }
        }
        await clock.waitForSleepers()
        cancel()
        clock.advance(by: 1.5)
        #expect(ended.withLock { $0 } == [])
        clock.advance(by: 0.5)
        try await sleep.value
        clock.advance(by: 10)
        #expect(ended.withLock { $0 } == ["sleep", "timeout 1800000003"])
        #expect(clock.now == NumericDate(seconds: 1_800_000_012))
        #expect(clock.sleeps == [2])
    }

    @Test("A cancelled sleep on a test's clock ends without an advance")
    func cancelledTestSleep() async {
        let clock = TestClock()
        let sleep = Task { try await clock.sleep(for: 1) }
        await clock.waitForSleepers()
        sleep.cancel()
        await #expect(throws: CancellationError.self) { try await sleep.value }
    }
}
