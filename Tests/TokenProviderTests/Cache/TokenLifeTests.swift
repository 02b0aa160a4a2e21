import Foundation
import TestTools
import Testing
import TokenProviderTesting

@testable import TokenProvider

/// How long a token is used, and when it is refreshed.
@Suite(.watchdog)
struct TokenLifeTests {
    private let clock = ManualClock()
    private let script = ScriptedTokens()
    private let scope = TokenScope.trip("trip-1")

    private func provider(random: Double = 0.5) -> FleetTokenProvider {
        FleetTokenProvider(clock: clock, random: random, fetch: script.fetch)
    }

    @Test
    func `The first call fetches, and the next ones do not`() async throws {
        let provider = provider()
        let token = try await provider.token(for: scope)
        #expect(token.text == "token 1")
        #expect(token.expirationDate == clock.now.addingTimeInterval(3540))
        #expect(try await provider.token(for: scope).text == token.text)
        #expect(script.requests == [TokenRequest(scope)])
    }

    @Test(arguments: [(0.0, 2640.0), (0.5, 2790), (0.999_999, 2940)])
    func `A refresh begins ahead of the expiry while calls get the token`(random: Double, due: Double) async throws {
        let provider = provider(random: random)
        _ = try await provider.token(for: scope)
        clock.advance(by: due - 0.01)
        #expect(try await provider.token(for: scope).text == "token 1")
        #expect(script.requests.count == 1)
        clock.advance(by: 0.02)
        let held = Latch()
        script.answer { _, number in
            await held.wait()
            return Token("token \(number)", lifetime: 3540)
        }
        #expect(try await provider.token(for: scope).text == "token 1")
        #expect(try await provider.token(for: scope).text == "token 1")
        held.open()
        try await provider.waitForFetches()
        #expect(try await provider.token(for: scope).text == "token 2")
        #expect(script.requests.count == 2)
    }

    @Test
    func `No call gets an expired token while its refresh hangs`() async throws {
        let provider = provider()
        _ = try await provider.token(for: scope)
        clock.advance(by: 3_239)
        let held = Latch()
        script.answer { _, number in
            await held.wait()
            return Token("token \(number)", lifetime: 3540)
        }
        #expect(try await provider.token(for: scope).text == "token 1")
        clock.advance(by: 1)
        let call = Task { try await provider.token(for: scope) }
        try await script.waitForRequests(2)
        held.open()
        #expect(try await call.value.text == "token 2")
    }

    @Test(arguments: [0, 0.5, 1])
    func `An outage within the refresh window fails no call`(random: Double) async throws {
        let provider = provider(random: random)
        _ = try await provider.token(for: scope)
        clock.advance(by: 2_640 + random * 300)
        script.fail(TokenProviderError(.unavailable, "Later."))
        for _ in 0..<299 {
            #expect(try await provider.token(for: scope).text == "token 1")
            try await provider.waitForFetches()
            clock.advance(by: 1)
        }
        #expect((10...40).contains(script.requests.count))
        script.succeed()
        clock.advance(by: 0.5)
        _ = try? await provider.token(for: scope)
        clock.advance(by: 30)
        _ = try await provider.token(for: scope)
    }

    @Test
    func `A token is used after a 403, but not beyond its time`() async throws {
        let provider = provider()
        _ = try await provider.token(for: scope)
        clock.advance(by: 3_000)
        script.fail(TokenProviderError(.permissionDenied, "No.", httpStatus: 403))
        #expect(try await provider.token(for: scope).text == "token 1")
        try await provider.waitForFetches()
        #expect(try await provider.token(for: scope).text == "token 1")
        clock.advance(by: 240)
        let error = await #expect(throws: TokenProviderError.self) { try await provider.token(for: scope) }
        #expect(error?.code == .permissionDenied)
    }

    /// Time passes by one clock or the other, and the device's clock is set forward or back.
    @Test(arguments: [(3_241.0, 0.0), (0, 3_241), (3_241, -86_400), (3_241, 86_400), (100, 3_200)])
    func `A clock that was set does not extend a token's use`(passed: TimeInterval, set: TimeInterval) async throws {
        let provider = provider()
        _ = try await provider.token(for: scope)
        clock.advance(by: passed)
        clock.setDeviceClock(by: set)
        #expect(try await provider.token(for: scope).text == "token 2")
        #expect(try await provider.token(for: scope).text == "token 2")
    }

    @Test
    func `The device's clock does not end a pause`() async throws {
        let provider = provider()
        script.fail(TokenProviderError(.unavailable, "Later.", retryAfter: 60))
        _ = try? await provider.token(for: scope)
        clock.setDeviceClock(by: 86_400)
        _ = try? await provider.token(for: scope)
        #expect(script.requests.count == 1)
    }

    @Test(arguments: [1, 2, 10, 60, 300, 600, 3_600] as [TimeInterval])
    func `A short-lived token is usable and needs few fetches`(lifetime: TimeInterval) async throws {
        let provider = provider()
        script.succeed(lifetime: lifetime)
        for _ in 0..<100 {
            _ = try await provider.token(for: scope)
            try await provider.waitForFetches()
            clock.advance(by: lifetime / 10)
        }
        #expect(script.requests.count <= 35)
    }

    /// The JWT's own times, by this device's clock.
    @Test
    func `A token without a lifetime is used by its claims`() async throws {
        let provider = FleetTokenProvider { _ in Token(Token.jwt(for: .server, lifetime: 1200)) }
        let left = try await provider.token(for: .server).expirationDate.timeIntervalSinceNow
        #expect((1190...1201).contains(left))
        let expired = FleetTokenProvider { _ in
            Token(Token.jwt(for: .server, issuedAt: Date(timeIntervalSinceNow: -7200)))
        }
        await #expect(throws: TokenProviderError.self) { try await expired.token(for: .server) }
        let bare = FleetTokenProvider { _ in Token("no JWT") }
        let bareLeft = try await bare.token(for: .server).expirationDate.timeIntervalSinceNow
        #expect((290...300).contains(bareLeft))
    }

    @Test func `A provider that gets another's token uses it for the life that is left`() async throws {
        let clock = ManualClock(now: Date())
        let inner = FleetTokenProvider(clock: clock, fetch: script.fetch)
        _ = try await inner.token(for: scope)
        clock.setDeviceClock(by: 2_000)
        let outer = FleetTokenProvider(clock: clock) { try await inner.token(for: $0.scope) }
        #expect(try await outer.token(for: scope).text == "token 1")
        clock.setDeviceClock(by: 1_240)
        #expect(try await outer.token(for: scope).text == "token 2")
    }

    @Test
    func `A manual clock takes any time`() async throws {
        let clock = ManualClock(now: .distantFuture)
        let provider = FleetTokenProvider(clock: clock, fetch: script.fetch)
        _ = try await provider.token(for: scope)
        clock.advance(by: .infinity)
        _ = try? await provider.token(for: scope)
    }
}
