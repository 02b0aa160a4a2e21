import Testing

@testable import FleetEngineClient

struct PollPolicyTests {
    @Test(arguments: [0: 5, -1: 5, 1: 5, 5: 5, 60: 60, .infinity: 3600, .nan: 5])
    func `The interval is from five seconds to an hour`(setting: Double, interval: Double) {
        #expect(PollPolicy(interval: setting).interval == interval)
    }

    @Test(
        arguments: [
            FleetEngineError.Code.unavailable, .deadlineExceeded, .aborted, .cancelled, .unknown, .internal, .dataLoss,
        ]
    )
    func `Server and network errors back off as Google's clients do, then no faster than the interval`(
        code: FleetEngineError.Code
    ) {
        let policy = PollPolicy(interval: 5)
        let pauses = (1...12).map { policy.pause(after: FleetEngineError(code, ""), failures: $0, random: 1) }
        let expected = [1, 1.3, 1.69, 2.197, 5, 5, 5, 6.27, 8.16, 10, 10, 10]
        for (pause, expected) in zip(pauses, expected) { #expect(abs(pause - expected) < 0.01) }
        #expect(policy.pause(after: FleetEngineError(code, ""), failures: 1, random: 0) == 0.5)
        #expect(policy.pause(after: FleetEngineError(code, "", retryAfter: 20), failures: 1, random: 0) == 20)
    }

    @Test(
        arguments: [
            (FleetEngineError.Code.invalidArgument, 30.0), (.notFound, 30), (.permissionDenied, 30),
            (.failedPrecondition, 30),
            (.unimplemented, 30), (.unauthenticated, 5), (.resourceExhausted, 10),
        ]
    )
    func `Errors that need action slow polling down`(code: FleetEngineError.Code, pause: Double) {
        #expect(PollPolicy(interval: 5).pause(after: FleetEngineError(code, ""), failures: 1, random: 0) == pause)
        let longer = PollPolicy(interval: 60).pause(after: FleetEngineError(code, ""), failures: 1, random: 0)
        #expect(longer >= 60)
    }
}
