import FleetToken
import Foundation
import TestTime
import TestTraits
import Testing
import Timing
import TokenProviderTesting

@testable import ExpiringCache
@testable import TokenProvider

/// The rules that the JavaScript client shares, by the table that its tests read as well.
@Suite("The rules that the JavaScript client shares", .watchdog)
struct TokenCaseTests {
    private static let cases = TokenCases.shared
    private let rules = CacheRules(CachingTokenProvider.Configuration().cache)

    @Test("How long a token is used follows from its lifetime", arguments: cases.lifespans)
    func lifespan(_ example: TokenCases.Lifespan) {
        for (jitter, fresh) in zip([0.0, 1.0], example.fresh) {
            let lifespan = rules.lifespan(of: Fetched(0, lifetime: example.lifetime), jitter: jitter)
            #expect(lifespan.usable.seconds == example.usable)
            #expect(abs(lifespan.fresh.seconds - fresh) < 1e-6)
        }
    }

    @Test("Backoff doubles up to its limit", arguments: cases.backoffs)
    func backoff(_ example: TokenCases.Backoff) {
        #expect(rules.backoff(failures: example.failures, jitter: 0).seconds == example.longest / 2)
        #expect(rules.backoff(failures: example.failures, jitter: 1).seconds == example.longest)
    }

    @Test("A pause is the server's delay and the backoff, up to an hour", arguments: cases.pauses.cases)
    func pause(_ example: TokenCases.Pause) {
        let backoff = rules.backoff(failures: example.failures, jitter: example.jitter)
        #expect(rules.pause(backoff: backoff, .retryable(after: example.retryAfter)).seconds == example.pause)
    }

    @MainActor
    @Test(
        "A server's pause concerns all scopes; one fetch probes it, and then more",
        arguments: cases.serverPauses.stories + cases.serverPauses.limits.stories
    )
    func serverPause(_ story: TokenCases.ServerStory) async throws {
        let time = TestClock(at: 1_795_211_460)
        let source = WaveSource()
        let log = EventLog()
        var configuration = CachingTokenProvider.Configuration()
        // As in a browser, which has a limit of its own.
        configuration.maximumConcurrentFetches = .max
        let provider = CachingTokenProvider(
            configuration: configuration,
            observer: log.observer,
            environment: time.environment(random: 0)
        ) { try await source.fetchToken(for: $0) }
        var (status, retryAfter, isUnreachable) = (200, Double?.none, false)
        for (number, step) in story.steps.enumerated() {
            let place: Comment = "\(story.what), step \(number + 1)"
            time.advance(by: step.after ?? 0)
            retryAfter = step.retryAfter ?? (step.status == nil ? retryAfter : nil)
            status = step.status ?? status
            isUnreachable = step.unreachable ?? isUnreachable
            let scopes = try (step.scopes[0]...step.scopes[1]).map { try TokenScope.trip("trip-\($0)") }
            let retryAfters = Dictionary(uniqueKeysWithValues: zip(scopes, step.retryAfters ?? []))
            source.fail { [status, retryAfter, isUnreachable] scope in
                guard !isUnreachable else { return TokenProviderError(source: URLError(.cannotConnectToHost)) }
                guard status != 200 else { return nil }
                let delay = retryAfters[scope] ?? retryAfter
                return TokenProviderError(refusal: TransferResponse(status: status), retryAfter: delay)
            }
            if step.removeAll == true { provider.removeAll() }
            let waits = log.entries.count(where: \.isWait)
            let ended = Lock(0)
            // On one actor, so that they begin in order.
            let calls = scopes.map { scope in
                Task { @MainActor in
                    defer { ended.withLock { $0 += 1 } }
                    return try await provider.token(for: scope)
                }
            }
            // Until all of them wait, or have ended without a fetch.
            while log.entries.count(where: \.isWait) - waits + ended.withLock({ $0 }) < scopes.count {
                await Task.yield()
            }
            // Fetches end only when no more begin.
            var waves: [Int] = []
            while case let wave = provider.runningFetches, wave > 0 {
                waves.append(wave)
                await source.waitForHeld(wave)
                let ended = log.entries.count(where: \.isFetchEnd) + wave
                source.release()
                await log.waitForFetches(ended)
            }
            for call in calls {
                guard case .failure(let error) = await call.result else {
                    #expect(step.error == nil, place)
                    continue
                }
                #expect((error as? TokenProviderError)?.code.description == step.error, place)
            }
            #expect(source.count == step.fetches, place)
            if let expected = step.waves { #expect(waves == expected, place) }
        }
    }

    @Test("Each form of Retry-After is read, and nothing else", .tags(.b45), arguments: cases.retryAfter.cases)
    func retryAfter(_ example: TokenCases.RetryAfter.Example) throws {
        let date = try #require(HTTPDate.parse(Self.cases.retryAfter.date))
        #expect(RetryAfter.seconds(example.field, date: date) == example.seconds)
    }

    @Test("The remaining lifetime follows from all that an answer says", arguments: cases.remainingLifetimes)
    func remainingLifetime(_ example: TokenCases.Remaining) {
        let lifetime = RemainingLifetime(
            secondsFromNow: example.secondsFromNow,
            expiresAt: example.expiresAt,
            issuedAt: example.issuedAt,
            serverClock: example.serverClock,
            deviceClock: example.deviceClock,
            age: example.age ?? 0
        )
        #expect(lifetime.seconds == example.seconds, "\(example.what)")
    }

    @Test("Each server's answer is read", arguments: cases.formats.cases)
    func format(_ answer: TokenCases.Answer) throws {
        #expect(try read(answer).lifetime == answer.lifetime ?? Self.cases.formats.lifetime)
    }

    @Test("A number in another unit is an error that says so", arguments: cases.wrongUnits.cases)
    func wrongUnit(_ answer: TokenCases.Answer) throws {
        let error = #expect(throws: TokenProviderError.self) { try read(answer) }
        #expect(error?.code == .unexpectedResponse)
        #expect(error?.message.contains("unit") == true)
    }

    private func read(_ answer: TokenCases.Answer) throws -> FetchedToken {
        let now = NumericDate(seconds: Self.cases.formats.serverClock)
        let scope = try TokenScope.trip("trip-1")
        let token = Secret(scope: scope, now: now).revealText()
        let formats = [
            "fleetToken": TokenResponseFormat.fleetToken, "onDemandSample": .onDemandSample,
            "lastMileSample": .lastMileSample,
        ]
        let members = answer.members.map { #","\#($0)":\#($1)"# }.joined()
        let body = Array(#"{"\#(answer.tokenKey)":"\#(token)"\#(members)}"#.utf8)
        let format = try #require(formats[answer.format])
        return try TokenResponseReader(format: format, scope: scope, now: 0)
            .read(TransferResponse(status: 200, date: HTTPDateText.imf(now), body: body))
    }

    @Test("Stories of tokens, failures and clocks", arguments: cases.stories)
    func story(_ story: TokenCases.Story) async throws {
        let time = TestClock(at: 1_795_211_460)
        let source = ScriptedSource()
        let log = EventLog()
        let provider = CachingTokenProvider(
            configuration: .init(),
            observer: log.observer,
            environment: time.environment(random: 0)
        ) { [source] in try await source.fetchToken(for: $0) }
        let scope = try TokenScope.trip("trip-1")
        var tokens: [Int: Token] = [:]
        var lifetime = 3540.0
        var status = 200
        for (number, step) in story.steps.enumerated() {
            let place: Comment = "\(story.what), step \(number + 1)"
            time.advance(by: step.after ?? 0)
            time.setWallClock(by: step.setClock ?? 0)
            lifetime = step.lifetime ?? lifetime
            status = step.status ?? status
            if status == 200 {
                source.succeed(lifetime: lifetime)
            } else {
                source.fail(TokenProviderError(refusal: TransferResponse(status: status), retryAfter: step.retryAfter))
            }
            if let token = step.invalidate.flatMap({ tokens[$0] }) { provider.invalidate(token) }
            if step.removeAll == true { provider.removeAll() }
            for result in await results(of: step.callers ?? 1, provider, scope) {
                switch result {
                case .success(let token):
                    let called = try #require(step.call, place)
                    #expect(token.value == Secret("token \(called)"), place)
                    tokens[called] = token
                case .failure(let error):
                    #expect((error as? TokenProviderError)?.code.description == step.error, place)
                }
            }
            await log.waitForQuiet()
            #expect(source.count == step.fetches, place)
            if step.mustBeNew == true { #expect(source.contexts.last?.requiresNewToken == true, place) }
        }
    }

    private func results(
        of callers: Int,
        _ provider: CachingTokenProvider,
        _ scope: TokenScope
    ) async -> [Result<Token, any Error>] {
        await withTaskGroup(of: Result<Token, any Error>.self) { group in
            for _ in 0..<callers {
                group.addTask {
                    do {
                        return .success(try await provider.token(for: scope))
                    } catch {
                        return .failure(error)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }
}
