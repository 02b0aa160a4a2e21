import FleetToken
import ServiceSupport
import TestSupport
import TestTools
import Testing

@Suite(.watchdog)
struct ServiceClockTests {
    @Test
    func `The system's clock tells the time of day, goes forward, and draws numbers below 1`() {
        let clock = ServiceClock.system
        #expect(abs(clock.now - .now) <= 1)
        let start = clock.monotonic
        while clock.monotonic == start {}
        #expect(clock.monotonic > start)
        #expect(clock.duration(since: start) > .zero)
        #expect((0..<1000).allSatisfy { _ in (0..<1).contains(clock.random()) })
    }

    @Test
    func `A cancelled sleep on the system's clock ends immediately with an error`() async {
        let sleep = Task { try await ServiceClock.system.sleep(for: .seconds(86_400)) }
        sleep.cancel()
        await #expect(throws: CancellationError.self) { try await sleep.value }
    }

    @Test(
        arguments: [(0, 0), (1_999_999_999, 1), (-1, -1), (-1_000_000_000, -1), (-1_000_000_001, -2)]
            as [(Int64, Int64)]
    )
    func `The time of day is rounded down`(nanoseconds: Int64, seconds: Int64) {
        let stopped = ServiceClock.stopped()
        let clock = ServiceClock(
            continuous: { 0 },
            wall: { nanoseconds },
            sleep: stopped.sleep,
            random: stopped.random
        )
        #expect(clock.now == NumericDate(seconds: seconds))
    }
}
