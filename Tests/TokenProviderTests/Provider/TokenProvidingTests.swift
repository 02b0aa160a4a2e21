import ExpiringCache
import FleetToken
import Foundation
import TestTime
import TestTraits
import Testing
import Timing
import TokenProviderTesting

@testable import TokenProvider

@Suite("Tokens, contexts, removals and changes", .watchdog)
struct TokenProvidingTests {
    private let clock = ManualClock()
    private let source = ScriptedTokenSource()
    private let tokens: CachingTokenProvider
    private let trip: TokenScope

    init() throws {
        tokens = CachingTokenProvider(source: source, clock: clock)
        trip = .consumer(trip: try ResourceID("trip-1"))
    }

    @Test("A token knows its scope, its expiry and its header field")
    func token() async throws {
        let token = try await tokens.token(for: trip)
        #expect(token.scope == trip)
        #expect(token.expirationDate == clock.now + 3540)
        #expect(token.authorizationHeader == "Bearer token 1")
        #expect(Token(Secret("token 1"), scope: trip, expirationDate: clock.now + 3540) == token)
    }

    @Test("A source is told why it is asked")
    func contexts() async throws {
        source.fail(TokenProviderError(.unavailable, "Down."))
        _ = try? await tokens.token(for: trip)
        clock.advance(by: 30)
        source.succeed()
        let rejected = try await tokens.token(for: trip)
        tokens.invalidate(rejected)
        _ = try await tokens.token(for: trip)
        #expect(
            source.contexts == [
                TokenFetchContext(scope: trip, reason: .missing),
                TokenFetchContext(scope: trip, reason: .missing),
                TokenFetchContext(scope: trip, reason: .tokenRejected),
            ]
        )
        #expect(source.contexts.map(\.requiresNewToken) == [false, false, true])
    }

    @Test("Removing a scope drops its token, and no other's")
    func remove() async throws {
        let other = TokenScope.driver(vehicle: try ResourceID("vehicle-1"))
        let kept = try await tokens.token(for: other)
        _ = try await tokens.token(for: trip)
        tokens.remove(trip)
        #expect(tokens.cachedToken(for: trip) == nil)
        #expect(tokens.cachedToken(for: other) == kept)
        #expect(try await tokens.token(for: trip).value == Secret("token 3"))
    }

    @Test("Removing a scope ends the calls that wait for it, and its refusal")
    func removeInFlight() async throws {
        let source = ScriptedTokenSource(delay: 10, clock: clock)
        let log = EventLog()
        let tokens = CachingTokenProvider(source: source, observer: log.observer, clock: clock)
        async let call = tokens.token(for: trip)
        await log.waitForWaiters(1)
        tokens.remove(trip)
        do {
            _ = try await call
            Issue.record("The call was answered.")
        } catch {
            #expect((error as? TokenProviderError)?.code == .removed)
        }
        source.fail(TokenProviderError(.permissionDenied, "No."))
        _ = try? await tokens.token(for: trip)
        tokens.remove(trip)
        source.succeed()
        #expect(try await tokens.token(for: trip).scope == trip)
    }

    @Test("Changes tell each reader of tokens that come, don't come and go, and end with the provider")
    func changes() async throws {
        var tokens: CachingTokenProvider? = self.tokens
        let local = ScriptedTokenSource()
        tokens = CachingTokenProvider(source: local, clock: clock)
        let readers = [tokens?.changes, tokens?.changes].compactMap { $0 }
        let token = try #require(try await tokens?.token(for: trip))
        _ = try await tokens?.token(for: trip)
        tokens?.invalidate(token)
        local.fail(TokenProviderError(.permissionDenied, "No."))
        _ = try? await tokens?.token(for: trip)
        tokens?.remove(trip)
        tokens?.removeAll()
        tokens = nil
        for reader in readers {
            var seen: [TokenProviderEvent] = []
            for await change in reader { seen.append(change) }
            #expect(seen.map(\.name) == [.fetchFinished, .invalidated, .fetchFinished, .removed, .removed])
            #expect(seen.map(\.scope) == [trip, trip, trip, trip, nil])
            #expect(seen.map(\.error?.code) == [nil, nil, .permissionDenied, nil, nil])
        }
    }

    @Test("A reader that goes away, or reads nothing, costs nothing more")
    func readers() async throws {
        let broadcast = Broadcast<TokenProviderEvent>()
        var stream: AsyncStream<TokenProviderEvent>? = broadcast.stream()
        #expect(broadcast.count == 1)
        for _ in 0..<(512) { broadcast.send(TokenProviderEvent(.removed)) }
        stream = nil
        #expect(stream == nil && broadcast.count == 0)
        broadcast.finish()
        for await _ in broadcast.stream() { Issue.record("It has ended.") }
    }
}
