import FleetToken
import JOSE
import Testing
import TokenService

struct TokenVerificationTests {
    private static let now = SampleToken.now
    private static let members = [
        ("iss", #""a@b.example""#), ("sub", #""a@b.example""#), ("aud", #""https://fleetengine.googleapis.com/""#),
        ("iat", "\(now.seconds - 60)"), ("exp", "\(now.seconds + 3540)"),
        ("authorization", #"{"tripid":"trip-1"}"#),
    ]
    private let trip: TokenScope

    init() throws {
        trip = try TokenScope(kind: .consumer, id: "trip-1")
    }

    /// A payload with members changed, added, or left out.
    private func payload(_ changes: [String: String?]) -> String {
        let members =
            Self.members.filter { changes[$0.0] == nil }
            + changes.compactMap { name, value in value.map { (name, $0) } }
        return "{" + members.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
    }

    private func verify(
        _ payload: String,
        header: String = SampleToken.header,
        scope: TokenScope? = nil
    ) throws -> [TokenVerification.Failure] {
        let token = try SampleToken.signed(header: header, claims: payload)
        return TokenVerification(of: token, keys: try SampleToken.keys(), scope: scope, now: Self.now).failures
    }

    private func stages(_ changes: [String: String?]) throws -> Set<TokenVerification.Failure.Stage> {
        Set(try verify(payload(changes)).map(\.stage))
    }

    @Test
    func `A token that expires within an hour is valid, whenever it was issued`() throws {
        let now = Self.now.seconds
        #expect(try verify(payload(["iat": "\(now - 300)", "exp": "\(now + 3600)"])).isEmpty)
        #expect(try verify(payload(["iat": "\(now + 600)", "exp": "\(now + 3600)"])).isEmpty)
        #expect(try stages(["iat": "\(now - 300)", "exp": "\(now + 3601)"]) == [.claims])
    }

    @Test
    func `A valid token is described by its access and expiry`() throws {
        let verification = TokenVerification(
            of: try SampleToken.signed(),
            keys: try SampleToken.keys(),
            scope: trip,
            now: Self.now
        )
        #expect(verification.failures.isEmpty)
        #expect(
            verification.text
                == "Valid: gives access to the trip trip-1, expires in 59 minutes (2026-11-20 23:47:10 UTC)."
        )
    }

    @Test
    func `All failures are listed, the most severe first`() throws {
        let token = try SampleToken.signed(
            header: #"{"alg":"RS256","typ":"JWT"}"#,
            claims: SampleToken.claims(issued: Self.now.seconds - 3600, expires: Self.now.seconds - 180),
            with: SampleToken.otherKey
        )
        let verification = TokenVerification(
            of: token,
            keys: .key(try SampleToken.key.get().publicKey),
            scope: try TokenScope(kind: .driver, id: "vehicle-1"),
            now: Self.now
        )
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

    @Test(arguments: ["", "no token", "a.b.c"])
    func `What is no token fails by its form alone`(text: String) throws {
        let keys = try SampleToken.keys()
        let failures = TokenVerification(of: Array(text.utf8), keys: keys, scope: trip, now: Self.now).failures
        #expect(failures.map(\.stage) == [.form])
    }

    @Test(
        arguments: [
            // The last second of a token, and the first after it.
            (["iat": "1795214830", "exp": "1795214891"], true), (["iat": "1795214830", "exp": "1795214890"], false),
            // Google allows ten minutes of skew.
            (["nbf": "1795214890"], true), (["nbf": "1795215490"], true), (["nbf": "1795215491"], false),
            (["nbf": "0"], true),
        ] as [([String: String?], Bool)]
    )
    func `A token is valid exactly within its times`(changes: [String: String?], isValid: Bool) throws {
        #expect(try stages(changes) == (isValid ? [] : [.claims]))
    }

    @Test(
        arguments: [
            (["exp": nil], .claims), (["iat": "1795214830.0"], .claims), (["aud": "null"], .claims),
            (["nbf": #""1795214830""#], .claims), (["nbf": "-1"], .claims), (["nbf": "1795214830.5"], .claims),
            (["nbf": "null"], .claims), (["nbf": "9223372036854775807"], .claims), (["nbf": "0x6B010670"], .form),
            (["x": #"1,"aud":1"#], .form), (["x": String(repeating: "[", count: 4_000)], .form),
            (["x": String(repeating: "9", count: 11_000)], .form),
        ] as [([String: String?], TokenVerification.Failure.Stage)]
    )
    func `A claim that is wrong fails by the claims, and a payload that is no JSON by its form`(
        changes: [String: String?],
        stage: TokenVerification.Failure.Stage
    ) throws {
        #expect(try stages(changes) == [stage])
    }

    @Test(
        arguments: [
            ("{}", true), (#"{"tripid":["trip-1"]}"#, true), (#"{"tripid":"trip-2"}"#, false),
            (#"{"tripid":"*"}"#, false), (#"{"tripid":"trip-1","vehicleid":"v"}"#, false),
            (#"{"vehicleid":"trip-1"}"#, false),
        ]
    )
    func `Another scope than the requested one is refused`(authorization: String, isMalformed: Bool) throws {
        let failures = try verify(payload(["authorization": authorization]), scope: trip)
        #expect(failures.first?.stage == (isMalformed ? .claims : .scope))
    }

    @Test(
        arguments: [
            (TokenKind.server, nil, [], #"{"vehicleid":"*","tripid":"*"}"#),
            (.fleetReader, nil, [], #"{"deliveryvehicleid":"*","taskid":"*","trackingid":"*"}"#),
            (.trustedDeliveryDriver, "v", ["t"], #"{"taskid":"t","deliveryvehicleid":"v"}"#),
            (.deliveryServer, nil, ["a", "b"], #"{"taskids":["b","a"]}"#),
        ] as [(TokenKind, String?, [String], String)]
    )
    func `The order of claims and of a batch’s tasks is irrelevant`(
        kind: TokenKind,
        id: String?,
        tasks: [String],
        authorization: String
    ) throws {
        let scope = try TokenScope(kind: kind, id: id, taskIDs: tasks)
        #expect(try verify(payload(["authorization": authorization]), scope: scope) == [])
    }

    @Test(
        arguments: [#"{"taskids":["a"]}"#, #"{"taskids":["a","b","c"]}"#, #"{"taskids":["*"]}"#]
    )
    func `Another batch is another scope`(authorization: String) throws {
        let scope = try TokenScope(kind: .deliveryServer, id: nil, taskIDs: ["a", "b"])
        #expect(try verify(payload(["authorization": authorization]), scope: scope).map(\.stage) == [.scope])
    }

    @Test
    func `A set has the key that the header names; one key is for every key ID`() throws {
        func stages(_ header: String, _ keys: VerificationKeys) throws -> [TokenVerification.Failure.Stage] {
            let token = try SampleToken.signed(header: header)
            return TokenVerification(of: token, keys: keys, now: Self.now).failures.map(\.stage)
        }
        let other = #"{"alg":"RS256","kid":"another"}"#
        #expect(try stages(other, .key(try SampleToken.key.get().publicKey)) == [])
        #expect(try stages(other, try SampleToken.keys()) == [.signature])
        #expect(try stages(SampleToken.header, try SampleToken.keys()) == [])
        #expect(try stages(SampleToken.header, .key(try SampleToken.otherKey.get().publicKey)) == [.signature])
    }
}
