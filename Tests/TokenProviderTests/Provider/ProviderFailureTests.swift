import ExpiringCache
import FleetToken
import Foundation
import TestTime
import TestTraits
import Testing
import Timing
import TokenProviderTesting

@testable import TokenProvider

@Suite("What callers see of failures", .watchdog)
struct ProviderFailureTests {
    private let time = TestClock(at: 1_795_211_460)
    private let source = ScriptedSource()
    private let log = EventLog()
    private let provider: CachingTokenProvider

    init() {
        provider = CachingTokenProvider(
            configuration: .init(),
            observer: log.observer,
            environment: time.environment()
        ) { [source] in try await source.fetchToken(for: $0) }
    }

    private static let codes: [TokenErrorCode] = [
        .invalidArgument, .unauthenticated, .permissionDenied, .notFound, .invalidContext, .invalidConfiguration,
        .insecureConnection, .redirected, .unexpectedResponse, .wrongScope, .tokenRejected,
        .insufficientLifetime, .offline, .resourceExhausted, .unavailable, .deadlineExceeded, .alreadyExpired, .removed,
    ]

    @Test(
        "After every kind of failure the provider works again once the pause is over",
        .tags(.b1, .b38),
        arguments: codes
    )
    func recovers(code: TokenErrorCode) async throws {
        // A 401 is the server's; without a status, no user is signed in, and nothing pauses.
        source.fail(
            TokenProviderError(
                code,
                "Do something.",
                httpStatus: code == .unauthenticated ? 401 : nil,
                serverReason: "REASON",
                requestID: "abc123"
            )
        )
        let error = await #expect(throws: TokenProviderError.self) { try await provider.token(for: .server) }
        #expect(error?.code == code)
        #expect(error?.message == "Do something.")
        #expect(error?.serverReason == "REASON")
        #expect(error?.requestID == "abc123")
        source.succeed()
        // Within the pause nobody asks again, however many call.
        for _ in 0..<100 { _ = try? await provider.token(for: .server) }
        #expect(source.count == 1)
        let pause = try #require(error?.retryAfter)
        #expect((code.needsAction ? 30...31 : 0.2...1).contains(pause))
        time.advance(by: pause)
        #expect(try await provider.token(for: .server).value == Secret("token 2"))
    }

    @Test("Errors of any other type count as ones that pass, and none of their text is shown", .tags(.b1))
    func foreignErrors() async throws {
        struct Foreign: Error { let text = "SECRET" }
        let errors: [any Error] = [
            Foreign(), CancellationError(), URLError(.notConnectedToInternet), URLError(.cancelled),
        ]
        for error in errors {
            source.fail(error)
            let seen = await #expect(throws: TokenProviderError.self) { try await provider.token(for: .server) }
            #expect(seen?.code == ((error as? URLError)?.code == .notConnectedToInternet ? .offline : .unavailable))
            #expect(seen.map { String(reflecting: $0).contains("SECRET") } == false)
            time.advance(by: 31)
        }
        #expect(source.count == errors.count)
    }

    @Test("A scope whose server limits it for ever does not starve a hundred others", arguments: [0, 3])
    func starvation(others: Int) async throws {
        // With others that are limited as well, their first failures pause all scopes once.
        let limited = Set(try (0...others).map { try TokenScope.trip("limited-\($0)") })
        source.answer { context, number in
            guard limited.contains(context.scope) else { return FetchedToken("token \(number)", lifetime: 3540) }
            throw TokenProviderError(.resourceExhausted, "Slow down.", retryAfter: 1, httpStatus: 429)
        }
        let healthy = try (1...100).map { try TokenScope.trip("trip-\($0)") }
        var served: Set<TokenScope> = []
        for second in 0..<10 where served.count < healthy.count {
            for scope in limited { _ = try? await provider.token(for: scope) }
            for scope in healthy where !served.contains(scope) {
                if (try? await provider.token(for: scope)) != nil { served.insert(scope) }
            }
            #expect(others > 0 || served.count == healthy.count, "second \(second)")
            time.advance(by: 1)
        }
        #expect(served.count == healthy.count)
        let fetches = source.count
        #expect(fetches < healthy.count + 10 * limited.count)
    }

    @Test("tokend's 429 limits the caller, so it pauses all scopes")
    func callersLimit() async throws {
        source.fail(
            TokenProviderError(.resourceExhausted, "Slow down.", retryAfter: 7, serverReason: "RATE_LIMITED")
        )
        for scope in [TokenScope.server, .fleetReader] {
            let error = await #expect(throws: TokenProviderError.self) { try await provider.token(for: scope) }
            #expect(error?.code == .resourceExhausted)
        }
        #expect(source.count == 1)
    }

    @Test(
        "A scope's own failure does not stop another",
        .tags(.b13),
        arguments: [TokenErrorCode.permissionDenied, .unavailable, .resourceExhausted, .deadlineExceeded]
    )
    func failureIsPerScope(code: TokenErrorCode) async throws {
        source.answer { context, number in
            guard context.scope == .server else { return FetchedToken(Secret("token \(number)"), lifetime: 3540) }
            throw TokenProviderError(code, "Not this one.")
        }
        await #expect(throws: TokenProviderError.self) { try await provider.token(for: .server) }
        #expect(try await provider.token(for: .fleetReader).value == Secret("token 2"))
    }

    @Test("A source that asks its own provider for the same scope is told so", .tags(.b25))
    func reentrant() async throws {
        let box = Lock<CachingTokenProvider?>(nil)
        let provider = CachingTokenProvider { context in
            let inner = try await box.withLock { $0 }?.token(for: context.scope)
            return FetchedToken(try #require(inner).value, lifetime: 3540)
        }
        box.withLock { $0 = provider }
        let error = await #expect(throws: TokenProviderError.self) { try await provider.token(for: .server) }
        #expect(error?.code == .invalidConfiguration)
        #expect(error?.message.contains("its own provider") == true)
        box.withLock { $0 = nil }
    }

    @Test("A source's token that came expired is an error, not a loop", .tags(.b35))
    func cameExpired() async throws {
        source.succeed(lifetime: 0)
        let error = await #expect(throws: TokenProviderError.self) { try await provider.token(for: .server) }
        #expect(error?.code == .alreadyExpired)
        for _ in 0..<100 { _ = try? await provider.token(for: .server) }
        #expect(source.count == 1)
    }

    @Test("Tokens that are rejected again and again are not fetched in a loop")
    func rejectionLoop() async throws {
        var errors: [TokenProviderError] = []
        for _ in 0..<1000 {
            do {
                let token = try await provider.token(for: .server)
                provider.invalidate(token)
            } catch let error as TokenProviderError {
                errors.append(error)
            }
        }
        #expect(source.count <= 3)
        #expect(errors.last?.code == .tokenRejected)
        #expect(errors.last?.needsAction == true)
    }
}
