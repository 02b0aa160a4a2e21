import FleetToken
import Testing

@Suite struct FleetClaimsTests {
    private static let authorizations = [
        #"{"tripid":"trip-1"}"#,
        #"{"vehicleid":"vehicle-1"}"#,
        #"{"deliveryvehicleid":"van-1"}"#,
        #"{"deliveryvehicleid":"van-1"}"#,
        #"{"deliveryvehicleid":"van-1","taskid":"task-1"}"#,
        #"{"trackingid":"parcel-1"}"#,
        #"{"taskid":"task-1"}"#,
        #"{"tripid":"*","vehicleid":"*"}"#,
        #"{"taskid":"*","trackingid":"*","deliveryvehicleid":"*"}"#,
        #"{"taskid":"*","trackingid":"*","deliveryvehicleid":"*"}"#,
        #"{"taskids":["task-1"]}"#,
        #"{"taskids":["b","a"]}"#,
        "{\"tripid\":\"caf\u{E9}-\u{6F22}\u{5B57}\"}",
    ]

    @Test func everyShapeIsTested() throws {
        #expect(try Samples.scopes().count == Self.authorizations.count)
        #expect(try Set(Samples.scopes().map(\.kind)) == Set(TokenKind.allCases))
    }

    @Test(arguments: zip(try Samples.scopes(), authorizations))
    func encodesExactlyWhatFleetEngineReads(scope: TokenScope, authorization: String) {
        let claims = FleetClaims(issuer: Samples.issuer, scope: scope, lifetime: .default, now: Samples.now)
        let expected = """
            {"iss":"signer@demo-fleet.iam.gserviceaccount.com","sub":"signer@demo-fleet.iam.gserviceaccount.com",\
            "aud":"https://fleetengine.googleapis.com/","iat":1795211460,"exp":1795215060,"authorization":\(authorization)}
            """
        #expect(Array(claims.encoded()) == Array(expected.utf8))
    }

    @Test(arguments: [600, 1800, 3540])
    func livesAsLongAsAskedFor(seconds: Int64) throws {
        let scope = try TokenScope(kind: .consumer, id: "trip-1")
        let lifetime = try TokenLifetime(seconds: seconds)
        let claims = FleetClaims(issuer: Samples.issuer, scope: scope, lifetime: lifetime, now: Samples.now)
        #expect(claims.issuedAt == Samples.now - 60)
        #expect(claims.expiresAt == Samples.now + seconds)
        #expect(claims.expiresAt - claims.issuedAt <= 3600)
    }

    @Test(arguments: [Int64.min, -1, 0, Int64.max])
    func noClockMakesItCrash(seconds: Int64) throws {
        let scope = try TokenScope(kind: .consumer, id: "trip-1")
        let now = NumericDate(seconds: seconds)
        let claims = FleetClaims(issuer: Samples.issuer, scope: scope, lifetime: .default, now: now)
        _ = ClaimsReading(payload: claims.encoded()).problems(at: now)
    }
}
