import Foundation
import TestTools
import Testing
import TokenProviderTesting

@testable import TokenProvider

/// The rules that the JavaScript client shares, by the table that its tests read as well.
@Suite(.watchdog)
struct TokenCaseTests {
    private static let cases = TokenCases.shared

    @Test(arguments: cases.lifespans)
    func `The use of a token follows from its lifetime`(_ example: TokenCases.Lifespan) {
        for (random, fresh) in zip([0.0, 1.0], example.fresh) {
            let schedule = CachedToken.Schedule(lifetime: example.lifetime, random: random)
            #expect(schedule.usable == example.usable)
            #expect(abs(schedule.fresh - fresh) < 1e-6)
        }
    }

    @Test(arguments: cases.backoffs)
    func `Backoff doubles up to its limit`(_ example: TokenCases.Backoff) {
        #expect(Pause.backoff(failures: example.failures, random: 0) == example.longest / 2)
        #expect(Pause.backoff(failures: example.failures, random: 1) == example.longest)
    }

    @Test(arguments: cases.pauses.cases)
    func `A pause after Retry-After is its delay, a random share of it, and the backoff`(_ example: TokenCases.Pause) {
        let error = TokenProviderError(.unavailable, "", retryAfter: example.retryAfter)
        let length = error.cooldown.length(failures: example.failures, random: example.jitter)
        #expect(length == example.pause)
    }

    @Test(arguments: cases.outages.stories)
    func `An outage is retried as the table says`(_ story: TokenCases.OutageStory) async throws {
        let clock = ManualClock()
        let script = ScriptedTokens()
        let provider = FleetTokenProvider(clock: clock, random: 0, fetch: script.fetch)
        var (status, retryAfter, isOffline) = (200, Double?.none, false)
        for (number, step) in story.steps.enumerated() {
            let context: Comment = "\(story.what), step \(number + 1)"
            clock.advance(by: step.after ?? 0)
            retryAfter = step.retryAfter ?? (step.status == nil ? retryAfter : nil)
            status = step.status ?? status
            isOffline = step.offline ?? isOffline
            let scopes = (step.scopes[0]...step.scopes[1]).map { TokenScope.trip("trip-\($0)") }
            let statuses = Dictionary(uniqueKeysWithValues: zip(scopes, step.statuses ?? []))
            let delays = Dictionary(uniqueKeysWithValues: zip(scopes, step.retryAfters ?? []))
            let begun = script.requests.count
            // Those of one step run together: none ends before all have begun.
            let expected = step.fetches - begun
            script.answer { [status, retryAfter, isOffline] request, number in
                try await until { script.requests.count >= begun + expected }
                guard !isOffline else { throw URLError(.notConnectedToInternet) }
                let status = statuses[request.scope] ?? status
                guard status != 200 else { return Token("token \(number)", lifetime: 3540) }
                let response = ServerResponse(status: status)
                throw TokenProviderError(response, retryAfter: delays[request.scope] ?? retryAfter)
            }
            if step.removeAll == true { provider.removeAll() }
            if step.credentialsDidChange == true { provider.credentialsDidChange() }
            if step.retryNow == true { provider.retryNow() }
            let errors = await Self.errors(of: scopes, provider)
            #expect(scopes.map { errors[$0] } == step.errors ?? scopes.map { _ in step.error }, context)
            try await provider.waitForFetches()
            #expect(script.requests.count == step.fetches, context)
        }
    }

    /// Returns the names of the errors of calls for scopes at the same time; a call that gets a token has none.
    private static func errors(of scopes: [TokenScope], _ provider: FleetTokenProvider) async -> [TokenScope: String] {
        await withTaskGroup { group in
            for scope in scopes {
                group.addTask { () -> (TokenScope, String?) in
                    do {
                        _ = try await provider.token(for: scope)
                        return (scope, nil)
                    } catch {
                        return (scope, (error as? TokenProviderError)?.code.name ?? "\(error)")
                    }
                }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
    }

    @Test(arguments: cases.retryAfter.cases)
    func `Retry-After is read in each form`(_ example: TokenCases.RetryAfter.Example) throws {
        let date = try #require(HTTPDate.parse(Self.cases.retryAfter.date))
        #expect(RetryAfter.seconds(example.field, date: date) == example.seconds)
    }

    @Test(arguments: cases.remainingLifetimes)
    func `The remaining lifetime follows from all that a response says`(_ example: TokenCases.Remaining) {
        let lifetime = RemainingLifetime(
            secondsFromNow: example.secondsFromNow,
            expiresAt: example.expiresAt,
            issuedAt: example.issuedAt,
            serverClock: example.serverClock
        )
        #expect(lifetime.seconds(deviceClock: example.deviceClock) == example.seconds, "\(example.what)")
    }

    @Test(arguments: cases.formats.cases)
    func `Each server's response is read`(_ example: TokenCases.Answer) throws {
        let lifetime = try read(example).lifetime.seconds(deviceClock: TimeInterval(Self.cases.formats.serverClock))
        #expect(lifetime == example.lifetime ?? Self.cases.formats.lifetime)
    }

    @Test(arguments: cases.wrongUnits.cases)
    func `A number in another unit is an error that says so`(_ example: TokenCases.Answer) throws {
        let error = #expect(throws: TokenProviderError.self) { try read(example) }
        #expect(error?.code == .unexpectedResponse)
        #expect(error?.message.contains("unit") == true)
    }

    private func read(_ example: TokenCases.Answer) throws -> Token {
        let now = Date(timeIntervalSince1970: TimeInterval(Self.cases.formats.serverClock))
        let decoders = [
            "fleetToken": TokenServer.json(),
            "onDemandSample": TokenServer.json(
                token: "jwt",
                expiry: "expirationTimestamp",
                unit: .millisecondsSince1970
            ),
            "lastMileSample": TokenServer.json(expiry: "expiration_timestamp_ms", unit: .millisecondsSince1970),
        ]
        let members = example.members.map { #","\#($0)":\#($1)"# }.joined()
        let token = Token.jwt(for: .trip("trip-1"), issuedAt: now)
        let body = Data(#"{"\#(example.tokenKey)":"\#(token)"\#(members)}"#.utf8)
        let decode = try #require(decoders[example.format])
        return try ServerResponse(status: 200, date: HTTPDateText.imf(now), body: body).token(decode, now: 0)
    }

    @Test(arguments: cases.stories)
    func `A sequence of tokens, failures and clocks ends as the table says`(_ story: TokenCases.Story) async throws {
        let clock = ManualClock()
        let script = ScriptedTokens()
        let provider = FleetTokenProvider(clock: clock, random: 0, fetch: script.fetch)
        let scope = TokenScope.trip("trip-1")
        var tokens: [Int: Token] = [:]
        var lifetime = 3540.0
        var status = 200
        for (number, step) in story.steps.enumerated() {
            let context: Comment = "\(story.what), step \(number + 1)"
            clock.advance(by: step.after ?? 0)
            clock.setDeviceClock(by: step.setClock ?? 0)
            lifetime = step.lifetime ?? lifetime
            status = step.status ?? status
            if status == 200 {
                script.succeed(lifetime: lifetime)
            } else {
                script.fail(TokenProviderError(ServerResponse(status: status), retryAfter: step.retryAfter))
            }
            if let token = step.invalidate.flatMap({ tokens[$0] }) { provider.invalidate(scope, rejected: token) }
            if step.removeAll == true { provider.removeAll() }
            if step.retryNow == true { provider.retryNow() }
            for result in await results(of: step.callers ?? 1, provider, scope) {
                switch result {
                case .success(let token):
                    let called = try #require(step.call, context)
                    #expect(token.text == "token \(called)", context)
                    tokens[called] = token
                case .failure(let error):
                    #expect((error as? TokenProviderError)?.code.name == step.error, context)
                }
            }
            try await provider.waitForFetches()
            #expect(script.requests.count == step.fetches, context)
            if step.mustBeNew == true { #expect(script.requests.last?.mustBeNew == true, context) }
        }
    }

    private func results(
        of callers: Int,
        _ provider: FleetTokenProvider,
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
