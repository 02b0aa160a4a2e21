import FleetToken
import Foundation
import TestTraits
import Testing
import TokenProviderTesting

@testable import TokenProvider

@Suite("The state of a token", .watchdog)
struct TokenStateTests {
    private let clock = ManualClock()
    private let source = ScriptedTokenSource()
    private let trip: TokenScope

    init() throws {
        trip = try .trip("trip-1")
    }

    @Test("A view that appears when the token is cached already sees it first")
    func cached() async throws {
        let tokens = CachingTokenProvider(source: source, clock: clock)
        let token = try await tokens.token(for: trip)
        for await state in tokens.states(of: trip) {
            #expect(state == .available(token))
            break
        }
    }

    @Test("Each change of the state follows, and nothing that changes no state")
    func changes() async throws {
        let tokens = CachingTokenProvider(source: source, clock: clock)
        var states = tokens.states(of: trip).makeAsyncIterator()
        #expect(await states.next() == .missing)
        let offline = TokenProviderError(.offline, "No network.")
        source.fail(offline)
        _ = try? await tokens.token(for: trip)
        guard case .failed(let error) = await states.next() else {
            Issue.record("The failure is missing.")
            return
        }
        #expect(error.code == .offline)
        clock.advance(by: 60)
        source.succeed()
        // Another scope's token is no change of this one's.
        _ = try await tokens.token(for: .server)
        let token = try await tokens.token(for: trip)
        #expect(await states.next() == .available(token))
        // A failed refresh doesn't matter while the token is usable.
        clock.advance(by: 3000)
        source.fail(offline)
        #expect(try await tokens.token(for: trip) == token)
        try await tokens.waitForFetches()
        tokens.removeAll()
        #expect(await states.next() == .missing)
    }

    @Test(
        "A view that appears during a pause sees the failure and when the next attempt is made",
        arguments: [false, true]
    )
    func paused(isServers: Bool) async throws {
        let tokens = CachingTokenProvider(source: source, clock: clock)
        source.fail(
            TokenProviderError(isServers ? .unavailable : .permissionDenied, "No.", retryAfter: isServers ? 20 : nil)
        )
        _ = try? await tokens.token(for: trip)
        clock.advance(by: 5)
        // The server's pause concerns all scopes, a denial its own.
        for scope in isServers ? [trip, .server] : [trip] {
            var states = tokens.states(of: scope).makeAsyncIterator()
            guard case .failed(let error) = await states.next() else {
                Issue.record("The failure is missing.")
                continue
            }
            #expect(error.code == (isServers ? .unavailable : .permissionDenied))
            #expect((10...30).contains(error.retryAfter ?? 0))
        }
        clock.advance(by: 60)
        var states = tokens.states(of: trip).makeAsyncIterator()
        #expect(await states.next() == .missing)
    }

    @Test("The states end with the provider")
    func end() async throws {
        var tokens: CachingTokenProvider? = CachingTokenProvider(source: source, clock: clock)
        var states = try #require(tokens?.states(of: trip)).makeAsyncIterator()
        #expect(await states.next() == .missing)
        tokens = nil
        #expect(await states.next() == nil)
        #expect(tokens == nil)
    }

    @Test("A token's description and reflection show its kind, and neither the token nor the ID")
    func description() throws {
        let token = Token(Secret("SECRET"), scope: .driver(vehicle: try ResourceID("v-1")), expirationDate: Date())
        #expect("\(token)" == "Token(driver, <redacted>)")
        #expect(String(reflecting: token) == "Token(driver, <redacted>)")
        var dumped = ""
        dump(token, to: &dumped)
        #expect(!dumped.contains("SECRET") && !dumped.contains("v-1"))
    }
}
