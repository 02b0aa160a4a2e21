import ExpiringCache
import FleetToken
import Foundation
import TestTraits
import Testing
import Timing
import TokenProviderTesting

@testable import TokenProvider

/// What an app does with its tokens besides asking for them.
@Suite(.watchdog)
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

    @Test("A forced refresh fetches although there is a token, and says so to the source")
    func forced() async throws {
        let first = try await tokens.token(for: trip)
        let second = try await tokens.token(for: trip, forcingRefresh: true)
        #expect(first != second)
        #expect(try await tokens.token(for: trip) == second)
        #expect(source.contexts.map(\.reason) == [.missing, .forced])
        #expect(source.contexts.map(\.requiresNewToken) == [false, true])
    }

    @Test("A forced refresh that fails is an error, the token stays, and the next one waits for the pause")
    func forcedFailure() async throws {
        let token = try await tokens.token(for: trip)
        source.fail(TokenProviderError(.unavailable, "Down."))
        for _ in 0..<3 {
            let error = await #expect(throws: TokenProviderError.self) {
                try await tokens.token(for: trip, forcingRefresh: true)
            }
            #expect(error?.code == .unavailable)
        }
        #expect(source.contexts.count == 2)
        #expect(tokens.cachedToken(for: trip) == token)
        source.succeed()
        clock.advance(by: 1)
        #expect(try await tokens.token(for: trip, forcingRefresh: true) != token)
    }

    @Test("A source is told why it is asked, and how often in a row")
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
                TokenFetchContext(scope: trip, reason: .missing, attempt: 1),
                TokenFetchContext(scope: trip, reason: .missing, attempt: 2),
                TokenFetchContext(scope: trip, reason: .tokenRejected, attempt: 1),
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

    @Test("A call with a completion can be cancelled, and completes once")
    func cancel() async throws {
        let source = ScriptedTokenSource(delay: 10, clock: clock)
        let tokens = CachingTokenProvider(source: source, clock: clock)
        let result = await withCheckedContinuation { continuation in
            let call = tokens.token(for: trip, options: .init(), queue: .global()) {
                continuation.resume(returning: $0)
            }
            call.cancel()
            call.cancel()
        }
        #expect(throws: TokenProviderError(.cancelled, "The call was cancelled.")) { try result.get() }
    }

    /// An app's own provider, with no more than it needs.
    private struct OwnProvider: TokenProviding {
        let latch: Latch

        nonisolated(nonsending) func token(
            for scope: TokenScope,
            options: TokenRequestOptions
        ) async throws -> Token {
            await latch.wait()
            try Task.checkCancellation()
            return Token(Secret("own"), scope: scope, expirationDate: .distantFuture)
        }

        func invalidate(_ rejected: Token) -> Bool { false }
    }

    @Test("A call of an app's own provider with a completion can be cancelled, too")
    func cancelOwn() async {
        let latch = Latch()
        let result = await withCheckedContinuation { continuation in
            let provider = OwnProvider(latch: latch)
            let call = provider.token(for: trip, options: .init(), queue: .global()) {
                continuation.resume(returning: $0)
            }
            call.cancel()
            latch.open()
        }
        #expect(throws: TokenProviderError.cancelled) { try result.get() }
    }
}
