import Testing
import TokenProvider
import TokenProviderTesting

@testable import TripApp

/// An app's unit tests: no server, and no waiting.
@MainActor
struct TripModelTests {
    private let clock = ManualClock()
    private let source = ScriptedTokenSource()

    @Test("The trip is followed when there is a token")
    func follows() async {
        let model = TripModel(tokens: CachingTokenProvider(source: source, clock: clock))
        await model.follow("trip-1")
        #expect(model.status == "Following trip-1")
    }

    @Test("An ID that Fleet Engine doesn't allow is no trip")
    func unknown() async {
        let model = TripModel(tokens: CachingTokenProvider(source: source, clock: clock))
        await model.follow("trip/1")
        #expect(model.status == "Unknown trip")
    }

    @Test("A user who may not follow the trip is asked to sign in, and an offline device is reported as offline")
    func noToken() async {
        let model = TripModel(tokens: CachingTokenProvider(source: source, clock: clock))
        source.fail(TokenProviderError(.offline, "No network."))
        await model.follow("trip-1")
        #expect(model.status == "Offline")
        clock.advance(by: 1)
        source.fail(TokenProviderError(.unauthenticated, "Sign in."))
        await model.follow("trip-1")
        #expect(model.status == "Sign in again")
    }

    @Test("A token is fetched once for as long as it can be used, and then again")
    func refresh() async {
        let model = TripModel(tokens: CachingTokenProvider(source: source, clock: clock))
        for _ in 0..<10 { await model.follow("trip-1") }
        #expect(source.contexts.count == 1)
        clock.advance(by: 3540)
        await model.follow("trip-1")
        #expect(source.contexts.map(\.reason) == [.missing, .expired])
    }
}
