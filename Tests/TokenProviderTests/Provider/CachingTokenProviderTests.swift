import FleetToken
import Foundation
import TestTime
import TestTraits
import Testing

@testable import TokenProvider

@Suite(.watchdog)
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

    @Test("Each scope has its own token")
    func keyed() async throws {
        let provider = provider()
        let scopes =
            try KindCase.all.map { try $0.scope() } + [
                .consumer(trip: try ResourceID("a")), .consumer(trip: try ResourceID("A")),
                .driver(vehicle: try ResourceID("a")),
            ]
        for scope in scopes { _ = try await provider.token(for: scope) }
        #expect(source.scopes == scopes)
        #expect(Set(scopes.compactMap { provider.cachedToken(for: $0)?.value }).count == scopes.count)
    }

    @Test(
        "A token that is returned has five minutes left, or half its lifetime",
        arguments: [
            (3540.0, 300.0), (3300, 300), (900, 300), (600, 300), (400, 200), (60, 30), (1, 0.5),
        ]
    )
    func minimumRemaining(lifetime: Double, expected: Double) async throws {
        source.succeed(lifetime: lifetime)
        let provider = provider()
        _ = try await provider.token(for: .server)
        let useful = lifetime - expected
        time.advance(by: useful - 0.001)
        #expect(provider.cachedToken(for: .server) != nil)
        time.advance(by: 0.001)
        #expect(provider.cachedToken(for: .server) == nil)
        #expect(try await provider.token(for: .server).value != Secret("token 1"))
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
        #expect(log.events.filter(\.isWait).count == 1)
    }

    @Test("A caller who needs a token for longer gets one that lives as long", .tags(.b36))
    func validFor() async throws {
        let provider = provider()
        _ = try await provider.token(for: .server)
        time.advance(by: 1000)
        #expect(try await provider.token(for: .server, validFor: 2540).value == Secret("token 1"))
        #expect(try await provider.token(for: .server, validFor: 3000).value == Secret("token 2"))
        #expect(try await provider.token(for: .server).value == Secret("token 2"))
    }

    @Test("More than the server's tokens live is an error, and the token stays for others", .tags(.b36))
    func validForTooLong() async throws {
        let provider = provider()
        let error = await #expect(throws: TokenProviderError.self) {
            try await provider.token(for: .server, validFor: 4000)
        }
        #expect(error?.code == .insufficientLifetime)
        #expect(error?.recovery == .needsAction)
        #expect(try await provider.token(for: .server).value == Secret("token 1"))
    }

    @Test(
        "However long a token lives, it is never returned with less left than promised",
        .tags(.b20),
        arguments: 0..<50
    )
    func margin(seed: Int) async throws {
        let lifetime = Double(1 + seed * 73)
        source.succeed(lifetime: lifetime)
        let provider = provider(random: Double(seed % 10) / 10)
        for _ in 0..<111 {
            let token = try await provider.token(for: .server)
            #expect(token.expirationDate.timeIntervalSince(time.now) >= min(300, lifetime / 2) - 0.001)
            await log.waitForQuiet()
            time.advance(by: lifetime / 37)
        }
        // B21: in three lifetimes, short ones cost more fetches than long ones, but no loop of them.
        #expect(source.count <= 11)
    }

    @Test("A missing token can be fetched before it is needed")
    func prefetch() async throws {
        let provider = provider()
        let scopes = [try TokenScope.trip("a"), try .trip("b")]
        provider.prefetch(scopes)
        await log.waitForFetches(2)
        #expect(scopes.allSatisfy { provider.cachedToken(for: $0) != nil })
        provider.prefetch(scopes)
        #expect(source.count == 2)
    }

    @Test("Not more tokens are kept than the configuration allows", .tags(.b16))
    func capacity() async throws {
        var configuration = CachingTokenProvider.Configuration()
        configuration.capacity = 10
        let provider = provider(configuration: configuration)
        let scopes = try (0..<100).map { try TokenScope.trip("trip-\($0)") }
        for scope in scopes { _ = try await provider.token(for: scope) }
        #expect(scopes.filter { provider.cachedToken(for: $0) != nil }.count <= 10)
        #expect(log.events.contains { $0.name == .evicted })
    }

    @Test("A refusal holds for as long as the configuration says")
    func denialLifetime() async {
        var configuration = CachingTokenProvider.Configuration()
        configuration.denialLifetime = 5
        let provider = provider(configuration: configuration)
        source.fail(TokenProviderError(.permissionDenied, "No."))
        let error = await #expect(throws: TokenProviderError.self) { try await provider.token(for: .server) }
        // Half of half a second and what chance adds to it come on top.
        #expect(error?.retryAfter == 5.375)
    }

    @Test("Events tell what happened and name no token")
    func events() async throws {
        let provider = provider()
        let token = try await provider.token(for: .server)
        _ = try await provider.token(for: .server)
        provider.invalidate(token)
        time.setWallClock(by: 7200)
        source.fail(TokenProviderError(.permissionDenied, "No."))
        _ = try? await provider.token(for: .server)
        #expect(log.events.filter(\.isWait) == Array(repeating: TokenProviderEvent(.wait, scope: .server), count: 2))
        #expect(
            log.events.filter { !$0.isWait } == [
                TokenProviderEvent(.fetchStarted, scope: .server, reason: .missing),
                TokenProviderEvent(.fetchFinished, scope: .server, reason: .missing, duration: 0),
                TokenProviderEvent(.hit, scope: .server),
                TokenProviderEvent(.invalidated, scope: .server),
                TokenProviderEvent(.clockJump, duration: 7200),
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
        #expect(!String(reflecting: log.events).contains("token 1"))
    }
}
