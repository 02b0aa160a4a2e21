import FleetToken
import Testing

struct ClaimsReadingTests {
    private func codes(_ reading: ClaimsReading) -> [ClaimsProblem.Code] { reading.problems.map(\.code) }

    @Test(arguments: try Samples.scopes(), [600, 3540])
    func `Encoded claims are read back unchanged`(scope: TokenScope, seconds: Int64) throws {
        let lifetime = try TokenLifetime(seconds: seconds)
        let claims = FleetClaims(issuer: Samples.issuer, scope: scope, lifetime: lifetime, now: Samples.now)
        let reading = ClaimsReading(payload: claims.encoded())
        #expect(reading.problems == [])
        #expect(reading.problems(at: Samples.now) == [])
        #expect(reading.claims == claims)
        #expect(reading.claims?.encoded() == claims.encoded())
        #expect(reading.authorization == scope.claims)
        #expect(reading.hasWildcard == (scope.kind.isPrivileged && scope.ids.isEmpty))
    }

    @Test
    func `Issuer and times are read`() {
        let reading = Payload().reading
        #expect(reading.problems == [])
        #expect(reading.issuer == Samples.issuer)
        #expect(reading.issuedAt == NumericDate(seconds: 1_795_211_460))
        #expect(reading.expiresAt == NumericDate(seconds: 1_795_215_060))
    }

    @Test(
        arguments: [
            "", " ", "null", "[]", "\"{}\"", "1", "{", "{}x", "\u{FEFF}{}", "{\"iss\":\"a\",\"iss\":\"b\"}",
            "{\"a\":\"\\ud800\"}",
            "{\"authorization\":{\"tripid\":\"a\",\"tripid\":\"*\"}}", "not json",
            String(repeating: "[", count: 10_000),
        ]
    )
    func `A payload that is no JSON object is malformed`(text: String) {
        let reading = ClaimsReading(payload: text.utf8)
        #expect(codes(reading) == [.malformed])
        #expect(reading.claims == nil)
        #expect(!reading.hasWildcard)
    }

    @Test
    func `Each missing claim is a problem`() {
        let reading = ClaimsReading(payload: "{}".utf8)
        #expect(codes(reading) == [.issuer, .audience, .times, .times, .authorization])
        #expect(reading.claims == nil)
    }

    @Test(
        arguments: [
            "5", "null", "true", "\"\"", "[\"a@b\"]", "{}", "\"a b\"", "\"a\\u0000\"", "\"a\\u202eb\"", "\"caf\u{E9}\"",
        ]
    )
    func `An issuer that is no address is a problem`(json: String) {
        let reading = Payload(("iss", json), ("sub", json)).reading
        #expect(codes(reading) == [.issuer])
        #expect(reading.issuer == nil)
        #expect(reading.claims == nil)
    }

    @Test(
        arguments: [nil, "null", "\"\"", "\"other@demo\"", "\"Signer@demo-fleet.iam.gserviceaccount.com\"", "5"]
    )
    func `A subject that is not the issuer is a problem`(json: String?) {
        #expect(codes(Payload(("sub", json)).reading) == [.issuer])
    }

    @Test
    func `Issuer and subject are compared by bytes`() {
        let reading = Payload(("iss", "\"K@demo\""), ("sub", "\"\u{212A}@demo\"")).reading
        #expect(codes(reading) == [.issuer])
    }

    @Test(
        arguments: [
            nil, "null", "\"\"", "[\"https://fleetengine.googleapis.com/\"]", "\"https://fleetengine.googleapis.com\"",
            "\"http://fleetengine.googleapis.com/\"", "\"https://FLEETENGINE.googleapis.com/\"", "\"*\"",
            "\"https://fleetengine.googleapis.com/ \"", "\"https://fleetengine.googleapis.com/google.maps\"", "1",
        ]
    )
    func `Any other audience is a problem`(json: String?) {
        let reading = Payload(("aud", json)).reading
        #expect(codes(reading) == [.audience])
        #expect(reading.claims == nil)
    }

    @Test(
        arguments: ["iat", "exp"],
        [
            nil, "null", "true", "\"1795211460\"", "1795211460.0", "1795211460.5", "1.79521146e9", "-1", "[1795211460]",
            "1795211460000", "253402300800", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
            "1e400",
        ]
    )
    func `A time that is no whole number of seconds is a problem`(name: String, json: String?) {
        let reading = Payload((name, json)).reading
        #expect(codes(reading) == [.times])
        #expect((name == "iat" ? reading.issuedAt : reading.expiresAt) == nil)
        #expect(reading.claims == nil)
    }

    @Test(
        arguments: [
            (-3600, .times), (-1, .times), (0, .times), (1, nil), (3600, nil), (3601, .tooLong), (86_400, .tooLong),
        ] as [(Int64, ClaimsProblem.Code?)]
    )
    func `exp must be after iat, by an hour at most`(difference: Int64, code: ClaimsProblem.Code?) {
        let reading = Payload(("exp", String(1_795_211_460 + difference))).reading
        #expect(reading.problems.map(\.code) == (code.map { [$0] } ?? []))
    }

    @Test
    func `Problems repeat nothing of the payload`() {
        let mark = "\"MARK\""
        let wrong = "{\"tripid\":\"MARK*\",\"MARK\":1,\"taskid\":[\"MARK\"],\"taskids\":\"MARK\"}"
        let reading = Payload(
            ("iss", "1"),
            ("sub", mark),
            ("aud", mark),
            ("iat", mark),
            ("exp", mark),
            ("authorization", wrong)
        )
        .reading
        #expect(reading.problems.count == 9)
        #expect(!reading.problems.contains { $0.description.contains("MARK") || $0.description.utf8.isEmpty })
    }
}
