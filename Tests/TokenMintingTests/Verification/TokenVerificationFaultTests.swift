import FleetToken
import JOSE
import TestTraits
import Testing
import TokenMinting

/// What verification finds wrong with a token whose signature is genuine.
@Suite struct TokenVerificationFaultTests {
    private static let members = [
        ("iss", #""Kilo@development.invalid""#), ("sub", #""Kilo@development.invalid""#),
        ("aud", #""https://fleetengine.googleapis.com/""#), ("iat", "1795211460"), ("exp", "1795215060"),
        ("authorization", #"{"tripid":"trip-1"}"#),
    ]

    /// A payload with members changed, added, or left out.
    private func payload(_ changes: [String: String?]) -> String {
        let members =
            Self.members.filter { changes[$0.0] == nil }
            + changes.compactMap { name, value in value.map { (name, $0) } }
        return "{" + members.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
    }

    private func verify(
        _ payload: String,
        header: String = Forge.header,
        scope: TokenScope? = nil,
        now: NumericDate = Accounts.now
    ) throws -> [TokenVerification.Failure] {
        let token = try Forge.token(header: header, payload: Array(payload.utf8), account: try Accounts.first())
        return TokenVerification(of: token, keys: .set(try Accounts.keySet()), scope: scope, now: now).failures
    }

    private func stages(_ changes: [String: String?], now: NumericDate = Accounts.now) throws -> Set<
        TokenVerification.Failure.Stage
    > {
        Set(try verify(payload(changes), now: now).map(\.stage))
    }

    @Test func findsNothingWrongWithAnUnchangedToken() throws {
        #expect(try verify(payload([:]), scope: try KindSample.consumer.scope()) == [])
    }

    @Test(
        "Refuses times that are no whole seconds",
        .tags(.j12),
        arguments: [
            ("exp", nil), ("iat", nil), ("exp", "null"), ("exp", #""1795215060""#), ("exp", "1795215060.0"),
            ("exp", "1795215060.5"),
            ("exp", "1.79521506e9"), ("exp", "1e400"), ("exp", "-1e400"), ("exp", "-1"), ("exp", "9223372036854775807"),
            ("exp", "9223372036854775808"), ("exp", "-9223372036854775808"), ("exp", "253402300800"),
            ("exp", "[1795215060]"),
            ("exp", #"{"$numberLong":"1"}"#), ("exp", "true"), ("exp", "0x6B00F914"), ("exp", "01795215060"),
            ("exp", "+1795215060"),
            ("exp", "NaN"), ("exp", "Infinity"), ("exp", "1795215060000"), ("iat", "1795211460.0"), ("iat", #""now""#),
            ("iat", "-1"), ("iat", "1e400"), ("iat", "9223372036854775807"), ("iat", "1795215060"),
            ("iat", "1795215061"),
            ("exp", "1" + String(repeating: "0", count: 10_000)), ("nbf", #""1795211460""#), ("nbf", "1e400"),
            ("nbf", "-1"),
            ("nbf", "1795211460.5"), ("nbf", "null"), ("nbf", "9223372036854775807"),
        ] as [(String, String?)]
    )
    func refusesTimesThatAreNoWholeSeconds(name: String, value: String?) throws {
        // What is no JSON at all fails by its form.
        #expect([[.claims], [.form]].contains(try stages([name: value])))
    }

    @Test(
        "Accepts exactly the values within the bounds",
        .tags(.j12),
        arguments: [
            // The last second of a token, and the first after it.
            (["iat": "1795211460", "exp": "1795211521"], true), (["iat": "1795211460", "exp": "1795211520"], false),
            (["iat": "1795211460", "exp": "1795211519"], false),
            // Google refuses what ends more than an hour ahead.
            (["iat": "1795211520", "exp": "1795215120"], true), (["iat": "1795211521", "exp": "1795215121"], false),
            (["iat": "1795211519", "exp": "1795215120"], false),
            // Google allows ten minutes of skew.
            (["iat": "1795212120", "exp": "1795212121"], true), (["iat": "1795212121", "exp": "1795212122"], false),
            (["nbf": "1795211520"], true), (["nbf": "1795212120"], true), (["nbf": "1795212121"], false),
            (["nbf": "0"], true),
        ] as [([String: String?], Bool)]
    )
    func isExactAboutBounds(changes: [String: String?], isValid: Bool) throws {
        #expect(try stages(changes) == (isValid ? [] : [.claims]))
    }

    @Test(
        "Refuses other audiences",
        .tags(.j10),
        arguments: [
            ("aud", nil), ("aud", "null"), ("aud", #"["https://fleetengine.googleapis.com/"]"#), ("aud", #""""#),
            ("aud", #""https://fleetengine.googleapis.com""#), ("aud", #""https://fleetengine.googleapis.com/ ""#),
            ("aud", #""HTTPS://fleetengine.googleapis.com/""#), ("aud", #""https://fleetengine.googleapis.com/v1""#),
            ("aud", #"["https://fleetengine.googleapis.com/","https://example.invalid/"]"#),
        ] as [(String, String?)]
    )
    func refusesOtherAudiences(name: String, value: String?) throws {
        #expect(try stages([name: value]) == [.claims])
    }

    @Test("Refuses duplicate claims", .tags(.j15), arguments: ["iss", "sub", "aud", "iat", "exp", "authorization"])
    func refusesClaimsThatStandTwice(name: String) throws {
        let value = try #require(Self.members.first { $0.0 == name }?.1)
        for second in [value, "null", #""x""#] {
            let twice = payload([:]).dropLast() + #","\#(name)":\#(second)}"#
            #expect(try verify(String(twice)).map(\.stage) == [.form])
        }
    }

    @Test("Refuses deep and long payloads", .tags(.j14))
    func refusesDeepAndLongPayloads() throws {
        let deep = String(repeating: "[", count: 4_000)
        let balanced = deep + String(repeating: "]", count: 4_000)
        let digits = String(repeating: "9", count: 11_000)
        for text in [deep, balanced, digits, #"{"x":\#(deep)"#, #"{"x":\#(balanced)}"#, #"{"x":\#(digits)}"#] {
            #expect(Set(try verify(text).map(\.stage)) == [.form])
        }
        #expect(try verify(payload(["x": digits + digits])).map(\.stage) == [.form])
    }

    @Test(
        "Refuses another scope than requested",
        .tags(.a1),
        arguments: [
            ("{}", true), ("null", true), ("[]", true), (#"{"tripid":""}"#, true), (#"{"tripid":"trip-2"}"#, false),
            (#"{"tripid":"*"}"#, false), (#"{"tripid":"trip-1","vehicleid":"v"}"#, false),
            (#"{"vehicleid":"trip-1"}"#, false),
            (#"{"taskids":["*"]}"#, false), (#"{"tripid":["trip-1"]}"#, true), (#"{"tripid":"trip-1","x":"y"}"#, true),
        ]
    )
    func refusesAnotherScopeThanAsked(authorization: String, isMalformed: Bool) throws {
        let failures = try verify(payload(["authorization": authorization]), scope: try KindSample.consumer.scope())
        #expect(failures.first?.stage == (isMalformed ? .claims : .scope))
    }

    @Test(
        arguments: [
            (KindSample.server, #"{"vehicleid":"*","tripid":"*"}"#),
            (.fleetReader, #"{"deliveryvehicleid":"*","taskid":"*","trackingid":"*"}"#),
            (.trustedDriverWithTask, #"{"taskid":"task-1","deliveryvehicleid":"vehicle-1"}"#),
            (.batch, #"{"taskids":["task-1","task-2"]}"#),
        ]
    )
    func knowsAScopeInAnyOrder(sample: KindSample, authorization: String) throws {
        #expect(try verify(payload(["authorization": authorization]), scope: try sample.scope()) == [])
    }

    @Test(arguments: [#"{"taskids":["task-1"]}"#, #"{"taskids":["task-1","task-2","task-3"]}"#, #"{"taskids":["*"]}"#])
    func knowsAnotherBatch(authorization: String) throws {
        let failures = try verify(payload(["authorization": authorization]), scope: try KindSample.batch.scope())
        #expect(failures.map(\.stage) == [.scope])
    }

    @Test func namesTheEarliestFaultFirst() throws {
        let token = try Forge.token(
            header: #"{"alg":"RS256"}"#,
            payload: Array(payload(["exp": "1", "authorization": #"{"vehicleid":"v"}"#]).utf8),
            account: try Accounts.second()
        )
        let scope = try KindSample.consumer.scope()
        let verification = TokenVerification(
            of: token,
            keys: .set(try Accounts.keySet()),
            scope: scope,
            now: Accounts.now
        )
        let stages = verification.failures.map(\.stage)
        // The claims' three: no kid, exp before iat, and expired.
        #expect(stages == [.signature, .claims, .claims, .claims, .scope])
        let garbage = TokenVerification(
            of: [1, 2, 3],
            keys: .set(try Accounts.keySet()),
            scope: scope,
            now: Accounts.now
        )
        #expect(garbage.failures.map(\.stage) == [.form])
    }

    @Test func oneKeyVerifiesWhateverTheTokenCallsIt() throws {
        let header = #"{"alg":"RS256","kid":"another"}"#
        let account = try Accounts.first()
        let token = try Forge.token(header: header, payload: Array(payload([:]).utf8), account: account)
        let now = Accounts.now
        #expect(TokenVerification(of: token, keys: .key(account.key.publicKey), now: now).failures == [])
        #expect(
            TokenVerification(of: token, keys: .set(try Accounts.keySet()), now: now).failures.map(\.stage) == [
                .signature
            ]
        )
        let other = try Accounts.second().key.publicKey
        #expect(TokenVerification(of: token, keys: .key(other), now: now).failures.map(\.stage) == [.signature])
    }

    @Test func noSingleBitCanBeFlippedUnnoticed() async throws {
        let token = try await Accounts.minter().mint(try KindSample.consumer.scope(), now: Accounts.now).token.reveal()
        let keys = VerificationKeys.set(try Accounts.keySet())
        for index in token.indices {
            var flipped = token
            flipped[index] ^= 1 << (index % 8)
            let stage = TokenVerification(of: flipped, keys: keys, now: Accounts.now).failures.first?.stage
            #expect(stage == .form || stage == .signature)
        }
    }
}
