import ExpiringCache
import FleetToken
import Foundation
import TestTime
import TestTraits
import Testing
import Timing

@testable import TokenProvider

/// What callers see of failures, and that everything passes in the end.
@Suite(.watchdog)
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

    private static let codes: [TokenProviderError.Code] = [
        .invalidArgument, .unauthenticated, .permissionDenied, .notFound, .invalidContext, .invalidConfiguration,
        .insecureConnection, .redirected, .unexpectedResponse, .wrongScope, .reentrantFetch, .tokenRejected,
        .insufficientLifetime, .offline, .resourceExhausted, .unavailable, .deadlineExceeded, .alreadyExpired, .removed,
        .cancelled,
    ]

    @Test(
        "After every kind of failure the provider works again once the pause is over",
        .tags(.b1, .b38),
        arguments: codes
    )
    func recovers(code: TokenProviderError.Code) async throws {
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
        #expect((code.recovery == .needsAction ? 30...31 : 0.2...1).contains(pause))
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

    @Test("The server's wait is kept, whatever callers do, and each of them learns how long it still is", .tags(.b37))
    func retryAfter() async throws {
        source.fail(TokenProviderError(.resourceExhausted, "Slow down.", retryAfter: 120, httpStatus: 429))
        for second in 0..<120 {
            let error = await #expect(throws: TokenProviderError.self) { try await provider.token(for: .server) }
            #expect(error?.code == .resourceExhausted)
            #expect(error?.httpStatus == 429)
            #expect(abs((error?.retryAfter ?? 0) - Double(120 - second)) < 1)
            time.advance(by: 1)
        }
        #expect(source.count == 1)
        source.succeed()
        time.advance(by: 1)
        #expect(try await provider.token(for: .server).value == Secret("token 2"))
    }

    @Test("A scope whose server limits it for ever does not starve a hundred others", arguments: [0, 3])
    func starvation(others: Int) async throws {
        // With others that are limited as well, their first failures pause all scopes once.
        let limited = Set(try (0...others).map { try TokenScope.trip("limited-\($0)") })
        source.answer { scope, number in
            guard limited.contains(scope) else { return FetchedToken("token \(number)", lifetime: 3540) }
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
        arguments: [TokenProviderError.Code.permissionDenied, .unavailable, .resourceExhausted, .deadlineExceeded]
    )
    func failureIsPerScope(code: TokenProviderError.Code) async throws {
        source.answer { scope, number in
            guard scope == .server else { return FetchedToken(Secret("token \(number)"), lifetime: 3540) }
            throw TokenProviderError(code, "Not this one.")
        }
        await #expect(throws: TokenProviderError.self) { try await provider.token(for: .server) }
        #expect(try await provider.token(for: .fleetReader).value == Secret("token 2"))
    }

    @Test("An outage of five minutes goes unnoticed, whenever it begins", .tags(.b10, .b30), arguments: 0..<24)
    func outage(number: Int) async throws {
        let start = Double(number) * 150
        for second in stride(from: 0.0, to: 7200, by: 10) {
            if (start..<(start + 290)).contains(second), second > 0 {
                source.fail(TokenProviderError(.unavailable, "Down."))
            } else {
                source.succeed()
            }
            let token = try await provider.token(for: .server)
            #expect(token.expirationDate.timeIntervalSince(time.now) >= 300)
            await log.waitForQuiet()
            time.advance(by: 10)
        }
    }

    @Test("A failed refresh is tried again while the token still lives", .tags(.b11))
    func refreshIsTriedAgain() async throws {
        _ = try await provider.token(for: .server)
        time.advance(by: 2800)
        source.fail(TokenProviderError(.unavailable, "Down."))
        #expect(try await provider.token(for: .server).value == Secret("token 1"))
        await log.waitForQuiet()
        source.succeed()
        time.advance(by: 1)
        #expect(try await provider.token(for: .server).value == Secret("token 1"))
        await log.waitForQuiet()
        #expect(try await provider.token(for: .server).value == Secret("token 3"))
    }

    @Test("A refusal leaves a token that still lives alone, and asks seldom", .tags(.b38))
    func refusalWhileValid() async throws {
        _ = try await provider.token(for: .server)
        time.advance(by: 2800)
        source.fail(TokenProviderError(.unauthenticated, "Sign in.", httpStatus: 401))
        for _ in 0..<43 {
            #expect(try await provider.token(for: .server).value == Secret("token 1"))
            await log.waitForQuiet()
            time.advance(by: 10)
        }
        #expect(source.count <= 1 + 430 / 30 + 1)
        time.advance(by: 10)
        await #expect(throws: TokenProviderError.self) { try await provider.token(for: .server) }
    }

    @Test("A source that never ends costs its callers the timeout, and the next call fetches again", .tags(.b28, .b43))
    func hungSource() async throws {
        let latch = Latch()
        source.answer { _, _ in
            await latch.wait()
            return FetchedToken(Secret("late"), lifetime: 3540)
        }
        let call = Task { try await provider.token(for: .server) }
        await log.waitForWaiters(1)
        while time.timeouts < 2 { await Task.yield() }
        time.advance(by: 15)
        let error = await #expect(throws: TokenProviderError.self) { try await call.value }
        #expect(error?.code == .deadlineExceeded)
        source.succeed()
        time.advance(by: 2)
        #expect(try await provider.token(for: .server).value == Secret("token 2"))
        latch.open()
        #expect(provider.cachedToken(for: .server)?.value == Secret("token 2"))
    }

    @Test("A caller's own timeout ends its wait alone")
    func callTimeout() async throws {
        let latch = Latch()
        source.answer { _, number in
            await latch.wait()
            return FetchedToken(Secret("token \(number)"), lifetime: 3540)
        }
        let patient = Task { try await provider.token(for: .server) }
        let impatient = Task { try await provider.token(for: .server, timeout: 1) }
        await log.waitForWaiters(2)
        while time.timeouts < 3 { await Task.yield() }
        time.advance(by: 1)
        let error = await #expect(throws: TokenProviderError.self) { try await impatient.value }
        #expect(error?.code == .deadlineExceeded)
        latch.open()
        #expect(try await patient.value.value == Secret("token 1"))
        #expect(source.count == 1)
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
        #expect(error?.code == .reentrantFetch)
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

    @Test("Many who report the rejected token cause one fetch", .tags(.b27))
    func invalidateOnce() async throws {
        let rejected = try await provider.token(for: .server)
        #expect(provider.invalidate(rejected))
        let fresh = try await provider.token(for: .server)
        for _ in 0..<10 {
            #expect(!provider.invalidate(rejected))
            #expect(try await provider.token(for: .server) == fresh)
        }
        #expect(source.count == 2)
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
        #expect(errors.last?.recovery == .needsAction)
    }

    @Test("A token whose fetch began before a sign-out is not seen after it", .tags(.b26))
    func signOut() async throws {
        let latch = Latch()
        source.answer { _, number in
            await latch.wait()
            return FetchedToken(Secret("token \(number)"), lifetime: 3540)
        }
        let call = Task { try await provider.token(for: .server) }
        await log.waitForWaiters(1)
        provider.removeAll()
        let error = await #expect(throws: TokenProviderError.self) { try await call.value }
        #expect(error?.code == .removed)
        latch.open()
        source.succeed()
        #expect(try await provider.token(for: .server).value == Secret("token 2"))
        #expect(provider.cachedToken(for: .server)?.value == Secret("token 2"))
    }

    @Test("Credentials that never come make a scope unusable neither for good nor beyond a sign-out", .tags(.b48))
    func lostCallbacks() async throws {
        let latch = Latch()
        source.answer { _, _ in
            await latch.wait()
            return FetchedToken(Secret("late"), lifetime: 3540)
        }
        for number in 1...3 { try await hang(number) }
        let stuck = await #expect(throws: TokenProviderError.self) { try await provider.token(for: .server) }
        #expect(stuck?.code == .unavailable)
        time.advance(by: try #require(stuck?.retryAfter))
        try await hang(4)
        provider.removeAll()
        source.succeed()
        time.advance(by: 30)
        #expect(try await provider.token(for: .server).value == Secret("token 5"))
        latch.open()
        #expect(provider.cachedToken(for: .server)?.value == Secret("token 5"))
    }

    private func hang(_ number: Int) async throws {
        let call = Task { try await provider.token(for: .server) }
        await log.waitForWaiters(number)
        // The source numbers its answers, so each fetch has to have reached it before the next one starts.
        while source.count < number { await Task.yield() }
        while time.timeouts < 2 { await Task.yield() }
        time.advance(by: 15)
        let error = await #expect(throws: TokenProviderError.self) { try await call.value }
        #expect(error?.code == .deadlineExceeded)
        while time.timeouts > 0 { await Task.yield() }
        time.advance(by: 2)
    }

    @Test("After a sign-out and a sign-in the next call fetches at once", .tags(.b53))
    func signOutEndsDenial() async throws {
        source.fail(TokenProviderError(.unauthenticated, "Sign in."))
        for _ in 0..<18 {
            let error = await #expect(throws: TokenProviderError.self) { try await provider.token(for: .server) }
            #expect(error?.code == .unauthenticated)
            time.advance(by: 10)
        }
        source.succeed()
        provider.removeAll()
        _ = try await provider.token(for: .server)
    }

    @Test("A caller who asks for more than tokens live doesn't stop others", .tags(.b51))
    func demandIsItsOwnError() async throws {
        let error = await #expect(throws: TokenProviderError.self) {
            try await provider.token(for: .server, validFor: 7_200)
        }
        #expect(error?.code == .insufficientLifetime)
        let first = try await provider.token(for: .server)
        provider.invalidate(first)
        #expect(try await provider.token(for: .server).value == Secret("token 2"))
    }

    @Test("After a stop in mid-fetch a thousand callers get a new token", .tags(.b58))
    func stoppedInMidFetch() async throws {
        let latch = Latch()
        source.answer { _, number in
            if number == 1 { await latch.wait() }
            return FetchedToken(Secret("token \(number)"), lifetime: 3540)
        }
        let calls = (0..<1_000).map { _ in
            Task { [provider] in try await provider.token(for: .server, timeout: .infinity) }
        }
        await log.waitForWaiters(1_000)
        time.stop(for: 7_200)
        latch.open()
        for call in calls { #expect(try await call.value.value == Secret("token 2")) }
        #expect(source.count == 2)
    }

    @Test("Cancelling one caller affects no other", .tags(.b2))
    func cancelOne() async throws {
        let latch = Latch()
        source.answer { _, number in
            await latch.wait()
            return FetchedToken(Secret("token \(number)"), lifetime: 3540)
        }
        let calls = (0..<10).map { _ in Task { [provider] in try await provider.token(for: .server) } }
        await log.waitForWaiters(10)
        calls[0].cancel()
        calls[5].cancel()
        await #expect(throws: CancellationError.self) { try await calls[0].value }
        await #expect(throws: CancellationError.self) { try await calls[5].value }
        latch.open()
        for index in [1, 2, 3, 4, 6, 7, 8, 9] {
            #expect(try await calls[index].value.value == Secret("token 1"))
        }
        #expect(source.count == 1)
    }

    @Test(
        "A clock that is set ages a token once or not at all, and never revives it",
        .tags(.b17, .b18, .b19),
        arguments: [
            -400_000_000.0, -172_800, -3600, 3600, 172_800, 400_000_000,
        ]
    )
    func clockIsSet(seconds: Double) async throws {
        _ = try await provider.token(for: .server)
        time.setWallClock(by: seconds)
        _ = try await provider.token(for: .server)
        #expect(source.count == (seconds > 0 ? 2 : 1))
        time.setWallClock(by: -seconds)
        _ = try await provider.token(for: .server)
        time.advance(by: 3240)
        #expect(provider.cachedToken(for: .server) == nil)
    }
}
