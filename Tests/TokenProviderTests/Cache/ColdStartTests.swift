import TestTools
import Testing
import TokenProviderTesting

@testable import TokenProvider

/// A backend that has just started, and knows no token of its vehicles.
@Suite(.watchdog(seconds: 60))
struct ColdStartTests {
    @Test
    func `Five thousand vehicles get their tokens at once from a server that takes 50 ms`() async throws {
        let clock = ManualClock()
        let provider = FleetTokenProvider(clock: clock) { request in
            try await clock.sleep(for: 0.05)
            return Token("token of \(request.scope.id ?? "")", lifetime: 3540)
        }
        let calls = (0..<5_000).map { number in
            Task { try await provider.token(for: .vehicle("vehicle-\(number)")) }
        }
        try await clock.waitForSleepers(5_000)
        clock.advance(by: 0.05)
        for (number, call) in calls.enumerated() {
            #expect(try await call.value.text == "token of vehicle-\(number)")
        }
    }

    /// Those in use stay, even at the limit.
    @Test
    func `Scopes over the limit are forgotten, and those whose fetch is under way are not`() async throws {
        let script = ScriptedTokens()
        let held = Latch()
        script.answer { request, number in
            if request.scope == .server { await held.wait() }
            return Token("token \(number)", lifetime: 3540)
        }
        let provider = FleetTokenProvider(clock: ManualClock(), fetch: script.fetch)
        let call = Task { try await provider.token(for: .server) }
        try await script.waitForRequests(1)
        for number in 0..<12_000 { _ = try await provider.token(for: .trip("trip-\(number)")) }
        #expect(provider.scopeCount <= TokenCache.capacity)
        held.open()
        #expect(try await call.value.text == "token 1")
        #expect(try await provider.token(for: .trip("trip-11999")).text == "token 12001")
    }
}
