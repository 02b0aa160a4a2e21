import FleetToken
import Testing

@testable import TokenService

struct ChallengeTests {
    @Test(
        "A refused caller is told how to authenticate, and what was wrong only where it sent credentials",
        arguments: [
            (.unauthenticated, #"Bearer realm="fleet-token""#),
            (.invalidCredentials, #"Bearer realm="fleet-token", error="invalid_token""#),
            (.multipleCredentials, #"Bearer realm="fleet-token", error="invalid_request""#),
            (.idNotGranted, nil), (.authenticationUnavailable, nil), (.rateLimited, nil),
        ] as [(TokenError.Reason, String?)]
    )
    func challenge(reason: TokenError.Reason, challenge: String?) {
        #expect(reason.challenge == challenge)
    }
}
