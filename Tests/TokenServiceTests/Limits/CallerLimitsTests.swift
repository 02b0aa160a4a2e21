import FleetToken
import StrictCoding
import Testing

@testable import TokenService

struct CallerLimitsTests {
    private func limits(callers: Double = 2, addresses: Double = 2, places: Int = 100) -> CallerLimits {
        CallerLimits(
            callers: RateLimit(RateLimiter(.init(perMinute: 60, burst: callers), maximumBuckets: places)),
            addresses: RateLimit(RateLimiter(.init(perMinute: 60, burst: addresses), maximumBuckets: places)),
            clock: { 1_000_000_000 }
        )
    }

    private func caller(_ name: String, _ subject: String) -> Caller {
        Caller(method: .jwt, name: name, subject: subject, claims: .init(), isApp: true)
    }

    private func fail(_ limits: CallerLimits, _ address: String, _ reason: TokenError.Reason) async throws -> TokenError
    {
        do {
            _ = try await limits.identify(address) { throw TokenError(reason, "No.") }
        } catch {
            return try #require(error as? TokenError)
        }
        throw CancellationError()
    }

    @Test func whoFailsTooOftenIsToldToWait() async throws {
        let limits = limits()
        for _ in 0..<2 { #expect(try await fail(limits, "192.0.2.1", .unauthenticated).reason == .unauthenticated) }
        let error = try await fail(limits, "192.0.2.1", .unauthenticated)
        #expect(error.reason == .rateLimited)
        #expect(error.retryAfter == 1)
        #expect(try await fail(limits, "192.0.2.2", .unauthenticated).reason == .unauthenticated)
    }

    @Test func onlyFailuresCount() async throws {
        let limits = limits()
        for _ in 0..<100 { _ = try await limits.identify("192.0.2.1") { caller("app", "s") } }
        // Nor is it the caller's fault that an issuer cannot be reached.
        for _ in 0..<100 { #expect(try await fail(limits, "192.0.2.1", .overloaded).reason == .overloaded) }
        _ = try await limits.identify("192.0.2.1") { caller("app", "s") }
    }

    /// Whoever has one IPv6 address has 2^64 of them.
    @Test func theAddressesOfOneNetworkAreOne() async throws {
        let limits = limits()
        for number in 0..<2 {
            #expect(try await fail(limits, "2001:db8:1:2::\(number)", .unauthenticated).reason == .unauthenticated)
        }
        #expect(try await fail(limits, "2001:db8:1:2:ffff::9", .unauthenticated).reason == .rateLimited)
        #expect(try await fail(limits, "2001:db8:1:3::1", .unauthenticated).reason == .unauthenticated)
        #expect(try await fail(limits, "unknown", .unauthenticated).reason == .unauthenticated)
    }

    /// S11: whoever fills all places with failures keeps nobody out who can say who they are.
    @Test func s11AFloodOfFailuresKeepsNobodyOut() async throws {
        let limits = limits(places: 50)
        for number in 0..<200 { _ = try await fail(limits, "10.0.0.\(number)", .unauthenticated) }
        _ = try await limits.identify("192.0.2.1") { caller("app", "s") }
    }

    @Test func callersAreCountedByNameAndSubject() async throws {
        let limits = limits()
        for _ in 0..<2 { try await limits.admit(caller("app", "a")) }
        await #expect(throws: TokenError.self) { try await limits.admit(caller("app", "a")) }
        try await limits.admit(caller("app", "b"))
        try await limits.admit(caller("other", "a"))
        // No subject reaches into the name beside it.
        try await limits.admit(caller("app", "x\u{0}y"))
        try await limits.admit(caller("app", "x"))
    }

    @Test func withoutLimitsThereAreNone() async throws {
        for _ in 0..<1000 {
            try await CallerLimits.none.admit(.anonymous)
            #expect(try await fail(.none, "127.0.0.1", .unauthenticated).reason == .unauthenticated)
        }
    }
}
