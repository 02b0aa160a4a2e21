import TestTools
import Testing
import TokenProviderTesting

@testable import TokenProvider

/// Reports of rejected tokens that name a scope only, as Google's SDKs allow, or the token.
@Suite(.watchdog)
struct InvalidationTests {
    private let clock = ManualClock()
    private let script = ScriptedTokens()
    private let provider: FleetTokenProvider
    private let scope = TokenScope.trip("trip-1")

    init() {
        provider = FleetTokenProvider(clock: clock, fetch: script.fetch)
    }

    private func fetch() async throws -> String { try await provider.token(for: scope).text }

    @Test
    func `Late reports of a rejected token do not concern the next one`() async throws {
        #expect(try await fetch() == "token 1")
        provider.invalidate(scope)
        #expect(try await fetch() == "token 2")
        for _ in 0..<10 {
            provider.invalidate(scope)
            clock.advance(by: 0.4)
            #expect(try await fetch() == "token 2")
        }
        #expect(script.requests.count == 2)
    }

    @Test
    func `A report five seconds after a replacement drops the new token`() async throws {
        #expect(try await fetch() == "token 1")
        provider.invalidate(scope)
        #expect(try await fetch() == "token 2")
        clock.advance(by: 5)
        provider.invalidate(scope)
        clock.advance(by: 0.5)
        #expect(try await fetch() == "token 3")
    }

    @Test
    func `A report right after a refresh concerns the token before`() async throws {
        #expect(try await fetch() == "token 1")
        clock.advance(by: 3_500)
        #expect(try await fetch() == "token 2")
        provider.invalidate(scope)
        #expect(try await fetch() == "token 2")
    }

    @Test
    func `A report of a first token drops it`() async throws {
        #expect(try await fetch() == "token 1")
        provider.invalidate(.trip("trip-2"))
        provider.invalidate(.vehicle("trip-1"))
        #expect(try await fetch() == "token 1")
        provider.invalidate(scope)
        #expect(try await fetch() == "token 2")
        #expect(script.requests.map(\.mustBeNew) == [false, true])
    }

    @Test
    func `A report after a sign-out concerns the next user's token`() async throws {
        #expect(try await fetch() == "token 1")
        provider.invalidate(scope)
        provider.removeAll()
        #expect(try await fetch() == "token 2")
        clock.advance(by: 5)
        provider.invalidate(scope)
        #expect(try await fetch() == "token 3")
    }

    /// A refresh that began before the report may bring the rejected token again.
    @Test
    func `A refresh from before a report is not waited for`() async throws {
        let held = Latch()
        defer { held.open() }
        #expect(try await fetch() == "token 1")
        clock.advance(by: 3_000)
        script.answer { _, number in
            if number == 2 { await held.wait() }
            return Token("token \(number)", lifetime: 3540)
        }
        #expect(try await fetch() == "token 1")
        try await script.waitForRequests(2)
        provider.invalidate(scope)
        #expect(try await fetch() == "token 3")
        #expect(script.requests.map(\.mustBeNew) == [false, false, true])
    }

    /// As above, in the last five minutes of the token's life.
    @Test
    func `A call that waits for a fetch from before a report gets a new token`() async throws {
        let held = Latch()
        defer { held.open() }
        let first = try await provider.token(for: scope)
        clock.advance(by: 3_300)
        script.answer { _, number in
            guard number == 2 else { return Token("token \(number)", lifetime: 3540) }
            await held.wait()
            return first
        }
        let call = Task { try await fetch() }
        try await script.waitForRequests(2)
        provider.invalidate(scope, rejected: first)
        #expect(try await call.value == "token 3")
        #expect(script.requests.map(\.mustBeNew) == [false, false, true])
    }

    @Test
    func `Tokens that are rejected again and again are fetched ever more slowly`() async throws {
        for _ in 0..<600 {
            _ = try? await fetch()
            provider.invalidate(scope)
            clock.advance(by: 1)
        }
        #expect((15...40).contains(script.requests.count))
    }
}
