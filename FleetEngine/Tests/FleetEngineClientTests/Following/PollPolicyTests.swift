import Testing

@testable import FleetEngineClient

struct PollPolicyTests {
    @Test(arguments: [0: 5, -1: 5, 1: 5, 5: 5, 60: 60, .infinity: 3600, .nan: 5])
    func `The interval is from five seconds to an hour`(setting: Double, interval: Double) {
        #expect(PollPolicy(interval: setting).interval == interval)
    }

    @Test(arguments: [FleetEngineError.Code.unavailable, .notFound])
    func `No error shortens a long interval`(code: FleetEngineError.Code) {
        let pause = PollPolicy(interval: 3600).pause(after: FleetEngineError(code, ""), failures: 1, random: 0)
        #expect(pause == 3600)
    }
}
