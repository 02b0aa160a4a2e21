import FleetToken
import Testing

@Suite struct TokenLifetimeTests {
    @Test(arguments: [600, 601, 1800, 3539, 3540] as [Int64])
    func takesWhatFleetEngineAndTheSDKsTake(seconds: Int64) throws {
        #expect(try TokenLifetime(seconds: seconds).seconds == seconds)
    }

    @Test(arguments: [.min, -600, -1, 0, 1, 599, 3541, 3600, 3601, 86_400, .max] as [Int64])
    func refusesTheRestAndCutsNothing(seconds: Int64) throws {
        let error = try #require(throws: TokenError.self) { try TokenLifetime(seconds: seconds) }
        #expect(error == TokenError(.invalidLifetime, "lifetimeSeconds must be an integer from 600 to 3540."))
    }

    @Test func theDefaultIsTheLongest() {
        #expect(TokenLifetime.default.seconds == 3540)
        #expect(TokenLifetime.allowed == 600...3540)
    }
}
