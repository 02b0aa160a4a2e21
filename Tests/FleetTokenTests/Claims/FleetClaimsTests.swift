import FleetToken
import Testing

struct FleetClaimsTests {
    @Test(
        arguments: [
            (.consumer, "trip-1", [], #"{"tripid":"trip-1"}"#),
            (.trustedDeliveryDriver, "van-1", ["task-1"], #"{"deliveryvehicleid":"van-1","taskid":"task-1"}"#),
            (.server, nil, [], #"{"tripid":"*","vehicleid":"*"}"#),
            (.fleetReader, nil, [], #"{"taskid":"*","trackingid":"*","deliveryvehicleid":"*"}"#),
            (.deliveryServer, nil, ["b", "a"], #"{"taskids":["b","a"]}"#),
            (.consumer, "caf\u{E9}-\u{6F22}\u{5B57}", [], "{\"tripid\":\"caf\u{E9}-\u{6F22}\u{5B57}\"}"),
        ] as [(TokenKind, String?, [String], String)]
    )
    func `Claims are encoded byte by byte as Fleet Engine reads them`(
        kind: TokenKind,
        id: String?,
        tasks: [String],
        authorization: String
    ) throws {
        let scope = try TokenScope(kind: kind, id: id, taskIDs: tasks)
        let claims = FleetClaims(issuer: Samples.issuer, scope: scope, lifetime: .default, now: Samples.now)
        let expected = """
            {"iss":"signer@demo-fleet.iam.gserviceaccount.com","sub":"signer@demo-fleet.iam.gserviceaccount.com",\
            "aud":"https://fleetengine.googleapis.com/","iat":1795211460,"exp":1795215060,"authorization":\(authorization)}
            """
        #expect(Array(claims.encoded()) == Array(expected.utf8))
    }

    @Test(arguments: [600, 1800, 3540])
    func `A token is backdated by a minute and expires after its lifetime`(seconds: Int64) throws {
        let scope = try TokenScope(kind: .consumer, id: "trip-1")
        let lifetime = try TokenLifetime(seconds: seconds)
        let claims = FleetClaims(issuer: Samples.issuer, scope: scope, lifetime: lifetime, now: Samples.now)
        #expect(claims.issuedAt == Samples.now - 60)
        #expect(claims.expiresAt == Samples.now + seconds)
        #expect(claims.expiresAt - claims.issuedAt <= 3600)
    }

    @Test(arguments: [599, 3541, 0, -1, .min, .max])
    func `A lifetime out of range is refused`(seconds: Int64) {
        let error = #expect(throws: TokenError.self) { try TokenLifetime(seconds: seconds) }
        #expect(error == TokenError(.invalidLifetime, "lifetimeSeconds must be an integer from 600 to 3540."))
    }

    @Test(arguments: [Int64.min, -1, 0, Int64.max])
    func `No time of the clock overflows`(seconds: Int64) throws {
        let scope = try TokenScope(kind: .consumer, id: "trip-1")
        let now = NumericDate(seconds: seconds)
        let claims = FleetClaims(issuer: Samples.issuer, scope: scope, lifetime: .default, now: now)
        _ = ClaimsReading(payload: claims.encoded()).problems(at: now)
    }
}
