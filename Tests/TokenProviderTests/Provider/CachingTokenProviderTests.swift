import FleetToken
import Foundation
import TestTime
import TestTraits
import Testing
import TokenProviderTesting

@testable import TokenProvider

@Suite("The provider's cache and events", .watchdog)
struct CachingTokenProviderTests {
    private let time = TestClock(at: 1_795_211_460)
    private let source = ScriptedSource()
    private let log = EventLog()

    private func provider(random: Double = 0.5, configuration: CachingTokenProvider.Configuration = .init())
        -> CachingTokenProvider
    {
        CachingTokenProvider(
            configuration: configuration,
            observer: log.observer,
            environment: time.environment(random: random)
        ) { [source] in try await source.fetchToken(for: $0) }
    }

    @Test("The first call fetches, the next ones don't")
    func caches() async throws {
        let provider = provider()
        let scope = try TokenScope.trip("a")
        #expect(provider.cachedToken(for: scope) == nil)
        let token = try await provider.token(for: scope)
        #expect(token.value == Secret("token 1"))
        #expect(token.expirationDate == Date(timeIntervalSince1970: 1_795_215_000))
        #expect(try await provider.token(for: scope) == token)
        #expect(provider.cachedToken(for: scope) == token)
        #expect(source.count == 1)
    }

    @Test(
        "Samples: A refresh begins ten to five minutes before that, and callers go on getting the token",
        arguments: [
            (0.0, 2640.0), (0.5, 2790), (0.999_999, 2940),
        ]
    )
    func refreshesAhead(random: Double, due: Double) async throws {
        let provider = provider(random: random)
        _ = try await provider.token(for: .server)
        time.advance(by: due - 0.01)
        #expect(try await provider.token(for: .server).value == Secret("token 1"))
        #expect(source.count == 1)
        time.advance(by: 0.02)
        let latch = Latch()
        source.answer { _, number in
            await latch.wait()
            return FetchedToken(Secret("token \(number)"), lifetime: 3540)
        }
        #expect(try await provider.token(for: .server).value == Secret("token 1"))
        #expect(try await provider.token(for: .server).value == Secret("token 1"))
        latch.open()
        await log.waitForFetches(2)
        #expect(try await provider.token(for: .server).value == Secret("token 2"))
        #expect(source.count == 2)
        #expect(log.entries.filter(\.isWait).count == 1)
    }

    @Test("More than the server's tokens live is an error, and the token stays for others", .tags(.b36))
    func validForTooLong() async throws {
        let provider = provider()
        let error = await #expect(throws: TokenProviderError.self) {
            try await provider.token(for: .server, validFor: 4000)
        }
        #expect(error?.code == .insufficientLifetime)
        #expect(error?.needsAction == true)
        #expect(try await provider.token(for: .server).value == Secret("token 1"))
    }

    @Test("Events tell what happened and name no token")
    func events() async throws {
        let provider = provider()
        let token = try await provider.token(for: .server)
        _ = try await provider.token(for: .server)
        provider.invalidate(token)
        source.fail(TokenProviderError(.permissionDenied, "No."))
        _ = try? await provider.token(for: .server)
        #expect(log.entries.filter(\.isWait) == Array(repeating: TokenProviderEvent(.wait, scope: .server), count: 2))
        #expect(
            log.entries.filter { !$0.isWait } == [
                TokenProviderEvent(.fetchStarted, scope: .server, reason: .missing),
                TokenProviderEvent(.fetchFinished, scope: .server, reason: .missing, duration: 0),
                TokenProviderEvent(.hit, scope: .server),
                TokenProviderEvent(.invalidated, scope: .server),
                TokenProviderEvent(.fetchStarted, scope: .server, reason: .tokenRejected),
                TokenProviderEvent(
                    .fetchFinished,
                    scope: .server,
                    reason: .tokenRejected,
                    duration: 0,
                    // Half a minute for the refusal, and half of half a second and what chance adds to it.
                    error: TokenProviderError(.permissionDenied, "No.", retryAfter: 30.375)
                ),
            ]
        )
        #expect(!String(reflecting: log.entries).contains("token 1"))
    }
}
