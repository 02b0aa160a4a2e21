import FleetToken
import Testing

/// What a clock says about claims: `iat` is 1,795,211,460 here and `exp` an hour later.
struct ClaimsTimeTests {
    private static let issuedAt: Int64 = 1_795_211_460
    private static let expiresAt = issuedAt + 3600

    @Test(
        arguments: [
            (issuedAt - 601, [.tooLong, .notYetValid]),
            (issuedAt - 600, [.tooLong]),
            (issuedAt - 1, [.tooLong]),
            (issuedAt, []),
            (expiresAt - 1, []),
            (expiresAt, [.expired]),
            (expiresAt + 86_400, [.expired]),
            (Int64.min, [.tooLong, .notYetValid]),
            (Int64.max, [.expired]),
        ] as [(Int64, [ClaimsProblem.Code])]
    )
    func `Problems depend on the time`(seconds: Int64, codes: [ClaimsProblem.Code]) {
        let reading = Payload().reading
        #expect(reading.problems(at: NumericDate(seconds: seconds)).map(\.code) == codes)
    }

    @Test
    func `The problem says how long ago the token expired`() {
        let problems = Payload().reading.problems(at: NumericDate(seconds: Self.expiresAt + 90))
        #expect(problems.map(\.description) == ["It expired 90 seconds ago. Request a new token."])
    }

    @Test
    func `Missing times are no further problem`() {
        #expect(Payload(("iat", nil), ("exp", nil)).reading.problems(at: Samples.now) == [])
    }
}
