import FleetToken
import ServiceSupport
import TestSupport
import Testing

struct ServiceClockTests {
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
