import FleetToken
import JOSE
import Testing
import TokenMinting

struct TokenVerificationTests {
    private func verify(
        _ token: [UInt8],
        scope: TokenScope? = nil,
        at now: NumericDate = SampleToken.now
    ) throws -> TokenVerification {
        TokenVerification(of: token, keys: try SampleToken.keys(), scope: scope, now: now)
    }

    @Test func findsNothingWrongWithAGoodToken() throws {
        let scope = try TokenScope(kind: .consumer, id: "trip-1")
        let verification = try verify(try SampleToken.signed(), scope: scope)
        #expect(verification.failures.isEmpty)
        #expect(
            verification.text
                == "Valid: gives access to the trip trip-1, expires in 59 minutes (2026-11-20 23:47:10 UTC)."
        )
    }

    @Test func listsAllFailuresFromTheGravest() throws {
        var token = try SampleToken.signed(
            header: #"{"alg":"RS256","typ":"JWT"}"#,
            claims: SampleToken.claims(issued: SampleToken.now.seconds - 3600, expires: SampleToken.now.seconds - 180)
        )
        let index = token.endIndex - 10
        token[index] = token[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        let verification = try verify(token, scope: try TokenScope(kind: .driver, id: "vehicle-1"))
        #expect(verification.failures.map(\.stage) == [.signature, .claims, .claims, .scope])
        #expect(
            verification.text == """
                Not valid:
                  signature: The signature is invalid for this key.
                  claims: The header has no kid; Fleet Engine requires it.
                  claims: It expired 3 minutes ago. Request a new token.
                  scope: The token gives access to the trip trip-1 instead of the vehicle vehicle-1.
                """
        )
    }

    @Test func checksTheTimesAtTheTimeGiven() throws {
        let token = try SampleToken.signed()
        #expect(try verify(token, at: SampleToken.now + 3539).failures.isEmpty)
        #expect(try verify(token, at: SampleToken.now + 3540).failures.map(\.stage) == [.claims])
        #expect(try verify(token, at: SampleToken.now - 661).failures.map(\.stage) == [.claims, .claims])
    }

    @Test func saysThatItIsNoTokenAndNoMore() throws {
        #expect(try verify(Array("no token".utf8)).failures.map(\.stage) == [.form])
        #expect(try verify([]).failures.map(\.stage) == [.form])
    }

    @Test func countsAnUnreadablePayloadAsMalformed() throws {
        let scope = try TokenScope(kind: .consumer, id: "trip-1")
        for payload in ["no JSON", "[]", #"{"a":1,"a":2}"#] {
            let verification = try verify(try SampleToken.signed(claims: payload), scope: scope)
            #expect(verification.failures.map(\.stage) == [.form])
        }
    }

    @Test func refusesAnotherKey() throws {
        let keys = VerificationKeys.key(try SampleToken.otherKey.get().publicKey)
        let verification = TokenVerification(of: try SampleToken.signed(), keys: keys, now: SampleToken.now)
        #expect(verification.failures.map(\.stage) == [.signature])
    }

    @Test func takesTheKeyThatTheHeaderNamesFromASet() throws {
        var keys = JWKSet()
        try keys.insert(JWK(try SampleToken.otherKey.get().publicKey, keyID: "key-0"))
        let token = try SampleToken.signed()
        #expect(
            TokenVerification(of: token, keys: .set(keys), now: SampleToken.now).failures.map(\.stage) == [.signature]
        )
        try keys.insert(JWK(try SampleToken.key.get().publicKey, keyID: "key-1"))
        #expect(TokenVerification(of: token, keys: .set(keys), now: SampleToken.now).failures.isEmpty)
    }

    /// A JSON object has no order, and neither has a batch: other signers write them as they like.
    @Test func comparesScopesWithoutRegardToOrder() throws {
        let server = try SampleToken.signed(claims: SampleToken.claims(#"{"vehicleid":"*","tripid":"*"}"#))
        #expect(try verify(server, scope: .server).failures.isEmpty)
        let driver = try SampleToken.signed(claims: SampleToken.claims(#"{"taskid":"t","deliveryvehicleid":"v"}"#))
        let trusted = try TokenScope(kind: .trustedDeliveryDriver, id: "v", taskIDs: ["t"])
        #expect(try verify(driver, scope: trusted).failures.isEmpty)
        let batch = try SampleToken.signed(claims: SampleToken.claims(#"{"taskids":["b","a"]}"#))
        let tasks = try TokenScope(kind: .deliveryServer, id: nil, taskIDs: ["a", "b"])
        #expect(try verify(batch, scope: tasks).failures.isEmpty)
    }

    @Test(arguments: [
        #"{"tripid":"trip-2"}"#, #"{"tripid":"*"}"#, #"{"vehicleid":"trip-1"}"#, #"{"tripid":"TRIP-1"}"#,
        #"{"tripid":"trip-1","vehicleid":"v"}"#,
    ])
    func findsAnotherScope(authorization: String) throws {
        let token = try SampleToken.signed(claims: SampleToken.claims(authorization))
        let scope = try TokenScope(kind: .consumer, id: "trip-1")
        #expect(try verify(token, scope: scope).failures.map(\.stage) == [.scope])
    }

    @Test(arguments: [["a"], ["a", "b", "c"], ["a", "c"]])
    func findsAnotherBatch(tasks: [String]) throws {
        let token = try SampleToken.signed(claims: SampleToken.claims(#"{"taskids":["a","b"]}"#))
        let scope = try TokenScope(kind: .deliveryServer, id: nil, taskIDs: tasks)
        #expect(try verify(token, scope: scope).failures.map(\.stage) == [.scope])
    }
}
