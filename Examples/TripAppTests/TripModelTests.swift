import Testing
import TokenProvider
import TokenProviderTesting

@testable import TripApp

/// An app's unit tests: no server, and no waiting.
@MainActor
struct TripModelTests {
    private let clock = ManualClock()
    private let source = ScriptedTokens()
    private let model: TripModel

    init() {
        model = TripModel(tokens: FleetTokenProvider(clock: clock, fetch: source.fetch))
    }

    @Test func tripWithATokenIsFollowed() async {
        await model.follow("trip-1")
        #expect(model.status == "Following trip-1")
    }

    @Test func idThatFleetEngineDoesNotAllowIsNotAvailable() async {
        await model.follow("trip/1")
        #expect(model.status == "Trip not available")
    }

    @Test(arguments: [
        (TokenProviderError.Code.offline, "Reconnecting"), (.unavailable, "Reconnecting"),
        (.resourceExhausted, "Reconnecting"),
        (.unauthenticated, "Sign in again"), (.permissionDenied, "Trip not available"),
    ])
    func errorIsShownByItsRemedy(code: TokenProviderError.Code, status: String) async {
        source.fail(TokenProviderError(code, "No token."))
        await model.follow("trip-1")
        #expect(model.status == status)
    }

    @Test func tokenIsFetchedAgainAfterItsLife() async {
        for _ in 0..<10 { await model.follow("trip-1") }
        #expect(source.requests.count == 1)
        clock.advance(by: 3540)
        await model.follow("trip-1")
        #expect(source.requests.count == 2)
    }
}
