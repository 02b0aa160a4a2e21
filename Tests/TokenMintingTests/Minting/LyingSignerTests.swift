import FleetToken
import JOSE
import ServiceSupport
import Testing

@testable import TokenMinting

/// A signer that returns something else than it was asked for, by mistake or on purpose.
private struct LyingSigner: TokenSigner {
    let account: ServiceAccount
    let isRemote: Bool
    let answer: @Sendable (_ payload: [UInt8]) throws -> [UInt8]

    var issuer: String { account.email }
    var publicKeys: [JWK] { [account.jwk] }

    func sign(payload: [UInt8]) async throws -> SignedToken {
        SignedToken(token: Secret(try answer(payload)), jwk: account.jwk)
    }
}

struct LyingSignerTests {
    private func mint(
        _ sample: KindSample = .consumer,
        isRemote: Bool = true,
        _ answer: @escaping @Sendable (_ payload: [UInt8]) throws -> [UInt8]
    ) async throws -> MintedToken {
        let signer = LyingSigner(account: try Accounts.first(), isRemote: isRemote, answer: answer)
        return try await Accounts.minter(signer).mint(try sample.scope(), now: Accounts.now)
    }

    /// Expects that nothing is minted with an answer, whether the signer is elsewhere or in this process.
    private func expectNoToken(
        _ sample: KindSample = .consumer,
        _ answer: @escaping @Sendable (_ payload: [UInt8]) throws -> [UInt8]
    ) async {
        await #expect { try await mint(sample, isRemote: true, answer) } throws: { isWrongToken($0) }
        await #expect { try await mint(sample, isRemote: false, answer) } throws: { isWrongToken($0) }
    }

    /// Expects that nothing is minted when the signer's payload differs in one place.
    private func expectNoToken(_ sample: KindSample = .consumer, replacing old: String, with new: String) async throws {
        let account = try Accounts.first()
        await expectNoToken(sample) { payload in
            try Forge.token(payload: try Self.replace(old, with: new, in: payload), account: account)
        }
    }

    private static func replace(_ old: String, with new: String, in payload: [UInt8]) throws -> [UInt8] {
        let changed = Array(String(decoding: payload, as: UTF8.self).replacing(old, with: new).utf8)
        try #require(changed != payload)
        return changed
    }

    private func isWrongToken(_ error: any Error) -> Bool {
        guard let error = error as? OperatorError else { return false }
        return error.description.contains("does not match the request") && !error.description.contains("eyJ")
    }

    @Test
    func `A correct token passes`() async throws {
        let account = try Accounts.first()
        for isRemote in [true, false] {
            let minted = try await mint(isRemote: isRemote) { try Forge.token(payload: $0, account: account) }
            #expect(minted.token == (try await Accounts.minter().mint(minted.scope, now: Accounts.now).token))
        }
    }

    @Test(arguments: ["", "x", ".", "..", "a.b.c", "e30.e30.AAAA", "null", "{}", "<html>502</html>"])
    func `Never mints a malformed token`(answer: String) async {
        await expectNoToken { _ in Array(answer.utf8) }
    }

    /// The signatures of keys in this process are not verified on each request.
    @Test
    func `Never mints a remote signer's token with an invalid signature`() async throws {
        let account = try Accounts.first()
        let second = try Accounts.second()
        let answers: [@Sendable ([UInt8]) throws -> [UInt8]] = [
            { try Forge.token(payload: $0, account: second) },
            { try Forge.token(payload: $0, account: account).dropLast(342) + [UInt8](repeating: 0x41, count: 342) },
            { Array(try Forge.token(payload: $0, account: account).dropLast(342)) },
            { Array(try Forge.token(payload: $0, account: account).dropLast(4)) },
            { try Forge.token(payload: $0, account: account) + [0x0A] },
            { try Forge.token(payload: $0, account: account) + [UInt8](repeating: 0x41, count: 16_384) },
        ]
        for answer in answers {
            await #expect { try await mint(.consumer, answer) } throws: { isWrongToken($0) }
        }
    }

    @Test(
        arguments: [
            #"{"alg":"RS512","typ":"JWT","kid":"key-1"}"#, #"{"alg":"none","typ":"JWT","kid":"key-1"}"#,
            #"{"alg":"HS256","typ":"JWT","kid":"key-1"}"#, #"{"alg":"RS256","typ":"JWT","kid":"key-2"}"#,
            #"{"alg":"RS256","typ":"JWT","kid":"\u212aey-1"}"#, #"{"alg":"RS256","typ":"JWT"}"#,
            #"{"alg":"RS256","kid":"key-1"}"#,
            #"{"alg":"RS256","typ":"at+jwt","kid":"key-1"}"#, #"{"alg":"RS256","typ":"jwt","kid":"key-1"}"#,
            #"{"alg":"RS256","typ":"JWT","kid":"key-1","cty":"JWT"}"#,
            #"{"alg":"RS256","typ":"JWT","kid":"key-1","kid":"key-1"}"#,
            #"{"alg":"RS256","typ":"JWT","kid":"key-1","jku":"https://example.invalid"}"#,
        ]
    )
    func `Never mints a token with another header`(header: String) async throws {
        let account = try Accounts.first()
        await expectNoToken { try Forge.token(header: header, payload: $0, account: account) }
    }

    @Test(
        arguments: [
            (#""trip-1""#, #""trip-2""#), (#""trip-1""#, #""Trip-1""#), (#""trip-1""#, #""trip-1 ""#),
            (#"{"tripid":"trip-1"}"#, #"{"vehicleid":"trip-1"}"#), (#"{"tripid":"trip-1"}"#, #"{"tripid":["trip-1"]}"#),
            (#"{"tripid":"trip-1"}"#, #"{"tripid":"trip-1","vehicleid":"v"}"#),
            (#"{"tripid":"trip-1"}"#, #"{"tripid":"trip-1","admin":"true"}"#),
            (#"{"tripid":"trip-1"}"#, #"{"tripid":"trip-1","tripid":"trip-1"}"#),
            (#""iss":"Kilo"#, #""iss":"kilo"#), (#""sub":"Kilo"#, #""sub":"lima"#), ("Kilo@", "lima@"),
            ("Kilo@", "\u{212A}ilo@"), (#""iss":"Kilo"#, "\"iss\":\"\u{212A}ilo"),
            (#""sub":"Kilo"#, "\"sub\":\"\u{212A}ilo"),
            (".com/\"", ".com\""), (".com/\"", ".com/ \""), ("\"aud\":", "\"aud\":[]," + "\"x\":"),
            (#""https://fleetengine.googleapis.com/""#, #"["https://fleetengine.googleapis.com/"]"#),
            ("1795215060", "1795215061"), ("1795215060", "1795215059"), ("1795215060", "1795215060.0"),
            ("1795215060", #""1795215060""#), ("1795215060", "1.79521506e9"), ("1795211460", "1795211461"),
            ("1795211460", "0"), (#""iat":1795211460,"#, ""), (#","authorization":{"tripid":"trip-1"}"#, ""),
            (#"{"iss""#, #"{"admin":true,"iss""#), (#"{"iss""#, #"{"nbf":1795211460,"iss""#),
            (#"{"iss""#, #"{"jti":"1","iss""#),
            (#"{"iss""#, #"{"iss":"Kilo@development.invalid","iss""#), (#"{"iss""#, #"[{"iss""#), (#"{"iss""#, #" "#),
        ]
    )
    func `Never mints a token with other claims`(old: String, new: String) async throws {
        try await expectNoToken(replacing: old, with: new)
    }

    @Test(
        arguments: [
            (KindSample.consumer, #""trip-1""#, #""*""#), (.consumer, #""trip-1""#, #"["*"]"#),
            (.consumer, "trip-1", "＊"),
            (.driver, #""vehicle-1""#, #""*""#), (.deliveryDriver, #""vehicle-1""#, #""*""#),
            (.trustedDriverWithTask, #""task-1""#, #""*""#), (.trustedDriverWithTask, #""vehicle-1""#, #""*""#),
            (.deliveryConsumer, #""tracking-1""#, #""*""#), (.deliveryTask, #""task-1""#, #""*""#),
            (.consumer, #"{"tripid":"trip-1"}"#, #"{"tripid":"trip-1","vehicleid":"*"}"#),
            (.consumer, #"{"tripid":"trip-1"}"#, #"{"taskids":["*"]}"#),
            (.batch, #"["task-2","task-1"]"#, #"["*"]"#), (.batch, #""task-1"]"#, #""task-1","*"]"#),
            (.batch, #"{"taskids":["task-2","task-1"]}"#, #"{"taskid":"*"}"#),
            (.server, #""vehicleid":"*""#, #""vehicleid":"*","taskid":"*""#),
            (.consumer, #"{"tripid":"trip-1"}"#, "{}"), (.consumer, #"{"tripid":"trip-1"}"#, "null"),
            (.consumer, #"{"tripid":"trip-1"}"#, "[]"), (.consumer, #"{"tripid":"trip-1"}"#, #""""#),
            (.consumer, "trip-1", ""), (.consumer, "trip-1", " "), (.consumer, #""trip-1""#, "null"),
            (.batch, #"["task-2","task-1"]"#, "[]"), (.batch, #"["task-2","task-1"]"#, #"[""]"#),
            (.batch, #","task-1"]"#, "]"), (.trustedDriverWithTask, #","taskid":"task-1""#, ""),
            (.server, #"{"tripid":"*","vehicleid":"*"}"#, "{}"),
        ]
    )
    func `Never mints a wildcard that was not requested, nor an empty or smaller scope`(
        sample: KindSample,
        old: String,
        new: String
    ) async throws {
        try await expectNoToken(sample, replacing: old, with: new)
    }

    @Test
    func `Never mints the token of another request`() async throws {
        let minter = try Accounts.minter()
        for other in KindSample.allCases where other != .consumer {
            let token = try await minter.mint(try other.scope(), now: Accounts.now).token.reveal()
            await expectNoToken { _ in token }
        }
        let earlier = try await minter.mint(try KindSample.consumer.scope(), now: Accounts.now - 1).token.reveal()
        await expectNoToken { _ in earlier }
    }

    /// The claims are compared with what was asked for too, and not only with what was given to the signer.
    @Test(
        arguments: [
            (KindSample.consumer, #""trip-1""#, #""trip-2""#), (.consumer, #""trip-1""#, #""*""#),
            (.consumer, #""tripid""#, #""vehicleid""#),
            (.consumer, #"{"tripid":"trip-1"}"#, #"{"tripid":"trip-1","vehicleid":"v"}"#),
            (.trustedDriverWithTask, #","taskid":"task-1""#, ""), (.trustedDriver, "vehicle-1", "vehicle-2"),
            (.batch, #","task-1"]"#, "]"), (.batch, #""task-1"]"#, #""task-1","task-3"]"#),
            (.server, #""vehicleid":"*""#, #""vehicleid":"*","taskid":"*""#), (.server, #","vehicleid":"*""#, ""),
            (.fleetReader, #""*""#, #""x""#), (.consumer, "Kilo@", "kilo@"), (.consumer, "1795211460", "1795211461"),
            (.consumer, "1795215060", "1795215059"),
        ]
    )
    func `Never mints what a faulty encoder wrote`(sample: KindSample, old: String, new: String) async throws {
        let encode = { @Sendable (claims: FleetClaims) in
            Array(String(decoding: claims.encoded(), as: UTF8.self).replacing(old, with: new).utf8)
        }
        let scope = try sample.scope()
        let claims = FleetClaims(
            issuer: "Kilo@development.invalid",
            scope: scope,
            lifetime: .default,
            now: Accounts.now
        )
        #expect(encode(claims) != claims.encoded())
        let signer = LocalSigner(try Accounts.first())
        let minter = TokenMinter(signers: [scope.kind: signer], encode: encode)
        await #expect { try await minter.mint(scope, now: Accounts.now) } throws: { isWrongToken($0) }
    }

    @Test
    func `Passes on the signer's error`() async {
        struct Failure: Error {}
        await #expect(throws: Failure.self) { try await mint { _ in throw Failure() } }
    }

    /// A value with the members of all objects in the reverse order.
    private static func reversed(_ value: JSONValue) -> JSONValue {
        guard let object = value.objectValue else { return value }
        return JSONValue(members: object.members.reversed().map { ($0.name, reversed($0.value)) })
    }

    @Test
    func `A remote signer may re-encode the claims`() async throws {
        let account = try Accounts.first()
        let header = #"{ "kid": "key-1", "alg": "RS256", "typ": "JWT" }"#
        for sample in KindSample.allCases {
            let minted = try await mint(sample) { payload in
                var writer = JSONWriter()
                writer.value(Self.reversed(try JSONParser.parse(payload)))
                let spaced = String(decoding: writer.bytes, as: UTF8.self).replacing(",", with: " ,\r\n\t")
                return try Forge.token(header: header, payload: Array(spaced.utf8), account: account)
            }
            #expect(minted.scope == (try sample.scope()))
        }
    }
}
