import FleetToken
import ServiceSupport
import StrictCoding
import TestSupport
import TestTraits
import Testing
import TokenMinting

@testable import TokenIssuance

struct CallerLimitsTests {
    private func limits(
        callers: Double = 2,
        addresses: Double = 2,
        places: Int = 100,
        verifications: Double = 200,
        tally: RefusalTally? = nil
    ) -> CallerLimits {
        CallerLimits(
            callers: RateLimit(RateLimiter(.init(perMinute: 60, burst: callers), maximumBuckets: places)),
            addresses: RateLimit(RateLimiter(.init(perMinute: 60, burst: addresses), maximumBuckets: places)),
            verifications: RateLimiter(.init(perMinute: 60, burst: verifications)),
            tally: tally,
            clock: .stopped()
        )
    }

    private func caller(_ name: String, _ subject: String) -> Caller {
        Caller(method: .jwt, name: name, subject: subject, claims: .init(), isApp: true)
    }

    private func fail(_ limits: CallerLimits, _ address: String, _ reason: TokenError.Reason) async throws -> TokenError
    {
        await limits.charge(TokenError(reason, "No."), to: address).error
    }

    @Test("Past the limit, an expired token still gets 401")
    func expiredTokensAreToldSoPastTheLimitToo() async throws {
        let limits = limits()
        for _ in 0..<3 { _ = try await fail(limits, "192.0.2.1", .unauthenticated) }
        for (code, reason) in [
            (AuthenticationFailure.Code.expired, TokenError.Reason.invalidCredentials), (.badSignature, .rateLimited),
            (.expiredAPIKey, .rateLimited), (.notExamined, .rateLimited),
        ] {
            let refusal = await limits.charge(AuthenticationFailure(code).of("app"), to: "192.0.2.1")
            #expect(refusal.error.reason == reason)
            #expect(refusal.rule == .overAddressLimit)
        }
    }

    @Test("Past its limit an address has few tokens verified, within it all")
    func fewTokensOfAnAddressPastItsLimitAreExamined() async throws {
        let limits = limits(verifications: 3)
        let address = limits.allowance(of: "192.0.2.1")
        for _ in 0..<100 { #expect(address.takesVerification()) }
        for _ in 0..<2 { _ = try await fail(limits, "192.0.2.1", .unauthenticated) }
        #expect((0..<100).count { _ in address.takesVerification() } == 3)
        #expect(limits.allowance(of: "192.0.2.2").takesVerification())
        for _ in 0..<100 { #expect(AddressAllowance.unlimited.takesVerification()) }
    }

    /// What one client can make the trail and the log grow by: as many lines as its limit has requests.
    @Test("Refusals past a limit are counted by address and by caller")
    func refusalsPastTheLimitAreCounted() async throws {
        let tally = RefusalTally(clock: .stopped(at: 7))
        let limits = limits(tally: tally)
        for _ in 0..<102 { _ = try await fail(limits, "2001:db8::1", .multipleCredentials) }
        let caller = caller("app", "s")
        for _ in 0..<52 {
            do {
                try await limits.admit(caller)
            } catch {
                _ = await limits.settle(try #require(error as? Refusal), of: caller, at: "2001:db8::1")
            }
        }
        let summaries = Set(tally.takeAll())
        let since = NumericDate(seconds: 7)
        let expected = [
            RefusalSummary(origin: .address("2001:db8::"), reason: .rateLimited, count: 100, since: since),
            RefusalSummary(
                origin: .caller(.jwt, name: "app", subject: "s"),
                reason: .rateLimited,
                count: 50,
                since: since
            ),
        ]
        #expect(summaries == Set(expected))
        #expect(tally.takeAll().isEmpty)
    }

    /// Whoever has one IPv6 address has 2^64 of them.
    @Test("The addresses of an IPv6 /64 share one limit")
    func theAddressesOfOneNetworkAreOne() async throws {
        let limits = limits()
        for number in 0..<2 {
            #expect(try await fail(limits, "2001:db8:1:2::\(number)", .unauthenticated).reason == .unauthenticated)
        }
        #expect(try await fail(limits, "2001:db8:1:2:ffff::9", .unauthenticated).reason == .rateLimited)
        #expect(try await fail(limits, "2001:db8:1:3::1", .unauthenticated).reason == .unauthenticated)
        #expect(try await fail(limits, "unknown", .unauthenticated).reason == .unauthenticated)
    }

    @Test("A flood of failures locks out no caller with valid credentials", .tags(.s11))
    func aFloodOfFailuresKeepsNobodyOut() async throws {
        let limits = limits(places: 50)
        for number in 0..<200 { _ = try await fail(limits, "10.0.0.\(number)", .unauthenticated) }
        #expect(limits.allowance(of: "192.0.2.1").takesVerification())
        try await limits.admit(caller("app", "s"))
    }

    @Test("Each subject of a caller has a limit of its own")
    func callersAreCountedByNameAndSubject() async throws {
        let limits = limits()
        for _ in 0..<2 { try await limits.admit(caller("app", "a")) }
        await #expect(throws: Refusal.self) { try await limits.admit(caller("app", "a")) }
        try await limits.admit(caller("app", "b"))
        try await limits.admit(caller("other", "a"))
        // No subject reaches into the name beside it.
        try await limits.admit(caller("app", "x\u{0}y"))
        try await limits.admit(caller("app", "x"))
    }

    @Test("A machine has the rate of machines, and a person that of persons")
    func machinesAndPersonsHaveTheirRates() async throws {
        let limits = CallerLimits(
            callers: RateLimit(RateLimiter(.init(perMinute: 60, burst: 1))),
            machines: RateLimit(RateLimiter(.init(perMinute: 60, burst: 3))),
            addresses: nil,
            clock: .stopped()
        )
        for (isApp, burst) in [(true, 1), (false, 3)] {
            let caller = Caller(method: .jwt, name: "\(isApp)", subject: "s", claims: .init(), isApp: isApp)
            for _ in 0..<burst { try await limits.admit(caller) }
            await #expect(throws: Refusal.self) { try await limits.admit(caller) }
        }
    }
}
