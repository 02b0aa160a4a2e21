import FleetToken
import ServiceSupport
import TestSupport
import Testing

@testable import TokenIssuance

extension CallerLimits {
    /// Charges a failure before authentication to its address.
    func charge(_ failure: AuthenticationFailure, to address: String) -> (Refusal, isRecorded: Bool) {
        charge(Refusal.unauthenticated(failure), to: address)
    }
}

struct CallerLimitsTests {
    private func limits(
        callers: Double = 2,
        addresses: Double = 2,
        places: Int = 100
    ) -> CallerLimits {
        CallerLimits(
            users: RateLimiter(.init(perMinute: 60, burst: callers), maximumBuckets: places),
            addresses: RateLimiter(.init(perMinute: 60, burst: addresses), maximumBuckets: places),
            clock: .stopped()
        )
    }

    private func caller(_ name: String, _ subject: String) -> Caller {
        Caller(method: .jwt, name: name, subject: subject, claims: .init(), rateLimit: .perUser)
    }

    private func fail(_ limits: CallerLimits, _ address: String) -> TokenError {
        limits.charge(AuthenticationFailure(.noCredentials), to: address).0.error
    }

    @Test
    func `Past the limit, an expired token still gets 401`() async throws {
        let limits = limits()
        for _ in 0..<3 { _ = fail(limits, "192.0.2.1") }
        for (code, reason) in [
            (AuthenticationFailure.Code.expired, TokenError.Reason.invalidCredentials), (.badSignature, .rateLimited),
            (.expiredAPIKey, .rateLimited),
        ] {
            let (refusal, _) = limits.charge(AuthenticationFailure(code).of("app"), to: "192.0.2.1")
            #expect(refusal.error.reason == reason)
            #expect(PipelineScene.Ending(refusal) == .overAddressLimit)
        }
    }

    @Test
    func `A failure of the service is charged to no address`() {
        let limits = limits()
        for _ in 0..<10 {
            let unavailable = AuthenticationFailure(.keysUnavailable, retryAfter: 1)
            #expect(limits.charge(unavailable, to: "192.0.2.1").0.error.reason == .authenticationUnavailable)
            #expect(limits.charge(.clockIsWrong, to: "192.0.2.1").0.error.reason == .clockUnavailable)
        }
        #expect(fail(limits, "192.0.2.1").reason == .unauthenticated)
    }

    /// Whoever has one IPv6 address has 2^64 of them.
    @Test
    func `The addresses of an IPv6 /64 share one limit`() async throws {
        let limits = limits()
        for number in 0..<2 {
            #expect(fail(limits, "2001:db8:1:2::\(number)").reason == .unauthenticated)
        }
        #expect(fail(limits, "2001:db8:1:2:ffff::9").reason == .rateLimited)
        #expect(fail(limits, "2001:db8:1:3::1").reason == .unauthenticated)
        #expect(fail(limits, "unknown").reason == .unauthenticated)
    }

    @Test
    func `A flood of failures locks out no caller with valid credentials`() async throws {
        let limits = limits(places: 50)
        for number in 0..<200 { _ = fail(limits, "10.0.0.\(number)") }
        try limits.admit(caller("app", "s"))
    }

    @Test
    func `Each subject of a caller has a limit of its own`() async throws {
        let limits = limits()
        for _ in 0..<2 { try limits.admit(caller("app", "a")) }
        #expect(throws: Refusal.self) { try limits.admit(caller("app", "a")) }
        try limits.admit(caller("app", "b"))
        try limits.admit(caller("other", "a"))
        // No subject reaches into the name beside it.
        try limits.admit(caller("app", "x\u{0}y"))
        try limits.admit(caller("app", "x"))
    }

    @Test
    func `A client has the rate of clients, and a user that of users`() async throws {
        let limits = CallerLimits(
            users: RateLimiter(.init(perMinute: 60, burst: 1)),
            clients: RateLimiter(.init(perMinute: 60, burst: 3)),
            addresses: nil,
            clock: .stopped()
        )
        for (limit, burst) in [(Caller.RateLimit.perUser, 1), (.perClient, 3)] {
            let caller = Caller(method: .jwt, name: limit.rawValue, subject: "s", claims: .init(), rateLimit: limit)
            for _ in 0..<burst { try limits.admit(caller) }
            #expect(throws: Refusal.self) { try limits.admit(caller) }
        }
    }

    /// Whoever has many addresses writes no more than one.
    @Test
    func `Unauthenticated clients of all addresses share 200 lines at once and 50 a second`() {
        let clock = TestClock()
        let limits = CallerLimits(
            users: nil,
            addresses: RateLimiter(.init(perMinute: 30, burst: 30)),
            clock: clock.service
        )
        func recorded(_ count: Int) -> Int {
            (0..<count).count { number in
                let (refusal, isRecorded) = limits.charge(
                    AuthenticationFailure(.unknownAPIKey),
                    to: "10.\(number / 250).\(number % 250).1"
                )
                #expect(refusal.error.reason == .invalidCredentials)
                return isRecorded
            }
        }
        #expect(recorded(2000) == 200)
        clock.advance(by: 2)
        #expect(recorded(2000) == 100)
    }
}
