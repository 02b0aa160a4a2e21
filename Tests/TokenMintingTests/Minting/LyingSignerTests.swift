import FleetToken
import JOSE
import StrictCoding
import Testing
import TokenMinting

/// A signer that returns something else than it was asked for, by mistake or on purpose.
private struct LyingSigner: TokenSigner {
    let account: ServiceAccount
    let answer: @Sendable (_ payload: [UInt8]) throws -> [UInt8]

    var issuer: String { account.email }
    var publicKeys: [JWK] { [account.jwk] }

    func sign(payload: [UInt8]) async throws -> SignedToken {
        SignedToken(token: Secret(try answer(payload)), jwk: account.jwk)
    }
}

/// No token leaves the minter that is not the one asked for.
@Suite struct LyingSignerTests {
    private func mint(
        _ sample: KindSample = .consumer,
        _ answer: @escaping @Sendable (_ payload: [UInt8]) throws -> [UInt8]
    ) async throws -> MintedToken {
        let signer = LyingSigner(account: try Accounts.first(), answer: answer)
        return try await Accounts.minter(signer).mint(try sample.scope(), now: Accounts.now)
    }

    /// Mints with a signer whose payload differs in one place.
    private func mint(_ sample: KindSample = .consumer, replacing old: String, with new: String) async throws
        -> MintedToken
    {
        let account = try Accounts.first()
        return try await mint(sample) { payload in
            let text = String(decoding: payload, as: UTF8.self)
            let changed = text.replacing(old, with: new)
            try #require(!changed.utf8.elementsEqual(text.utf8))
            return try Forge.token(payload: Array(changed.utf8), account: account)
        }
    }

    private func isWrongToken(_ error: any Error) -> Bool {
        guard let error = error as? MintingError else { return false }
        return error.code == .wrongToken && !error.description.contains("eyJ")
    }

    @Test func anHonestAnswerPasses() async throws {
        let account = try Accounts.first()
        let minted = try await mint { try Forge.token(payload: $0, account: account) }
        #expect(minted.token == (try await Accounts.minter().mint(minted.scope, now: Accounts.now).token))
    }

    @Test(arguments: ["", "x", ".", "..", "a.b.c", "e30.e30.AAAA", "null", "{}", "<html>502</html>"])
    func s3NeverYieldsGarbage(answer: String) async {
        await #expect { try await mint { _ in Array(answer.utf8) } } throws: { isWrongToken($0) }
    }

    @Test func s3NeverYieldsATokenWithABadSignature() async throws {
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
    func s3NeverYieldsAnotherHeader(header: String) async throws {
        let account = try Accounts.first()
        await #expect {
            try await mint { try Forge.token(header: header, payload: $0, account: account) }
        } throws: {
            isWrongToken($0)
        }
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
    func s3NeverYieldsOtherClaims(old: String, new: String) async {
        await #expect { try await mint(replacing: old, with: new) } throws: { isWrongToken($0) }
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
        ]
    )
    func a1NeverYieldsAWildcardThatWasNotAskedFor(sample: KindSample, old: String, new: String) async {
        await #expect { try await mint(sample, replacing: old, with: new) } throws: { isWrongToken($0) }
    }

    @Test(
        arguments: [
            (KindSample.consumer, #"{"tripid":"trip-1"}"#, "{}"), (.consumer, #"{"tripid":"trip-1"}"#, "null"),
            (.consumer, #"{"tripid":"trip-1"}"#, "[]"), (.consumer, #"{"tripid":"trip-1"}"#, #""""#),
            (.consumer, "trip-1", ""), (.consumer, "trip-1", " "), (.consumer, #""trip-1""#, "null"),
            (.batch, #"["task-2","task-1"]"#, "[]"), (.batch, #"["task-2","task-1"]"#, #"[""]"#),
            (.batch, #","task-1"]"#, "]"), (.trustedDriverWithTask, #","taskid":"task-1""#, ""),
            (.server, #"{"tripid":"*","vehicleid":"*"}"#, "{}"),
        ]
    )
    func a2NeverYieldsAnEmptyOrSmallerScope(sample: KindSample, old: String, new: String) async {
        await #expect { try await mint(sample, replacing: old, with: new) } throws: { isWrongToken($0) }
    }

    @Test func s3NeverYieldsTheTokenOfAnotherRequest() async throws {
        let minter = try Accounts.minter()
        for other in KindSample.allCases where other != .consumer {
            let token = try await minter.mint(try other.scope(), now: Accounts.now).token.reveal()
            await #expect { try await mint { _ in token } } throws: { isWrongToken($0) }
        }
        let earlier = try await minter.mint(try KindSample.consumer.scope(), now: Accounts.now - 1).token.reveal()
        await #expect { try await mint { _ in earlier } } throws: { isWrongToken($0) }
    }

    @Test func s3PassesTheSignersErrorOn() async {
        struct Failure: Error {}
        await #expect(throws: Failure.self) { try await mint { _ in throw Failure() } }
    }

    @Test func aSignerMayOrderAndSpaceTheClaimsAsItLikes() async throws {
        let account = try Accounts.first()
        let header = #"{ "kid": "key-1", "alg": "RS256", "typ": "JWT" }"#
        for sample in KindSample.allCases {
            let minted = try await mint(sample) { payload in
                let members = try JSONParser.parseObject(payload).members.reversed()
                var writer = JSONWriter()
                writer.object { writer in
                    for member in members {
                        writer.name(member.name)
                        guard let object = member.value.objectValue else {
                            writer.value(member.value)
                            continue
                        }
                        writer.object { writer in
                            for member in object.members.reversed() {
                                writer.name(member.name)
                                writer.value(member.value)
                            }
                        }
                    }
                }
                let spaced = String(decoding: writer.bytes, as: UTF8.self).replacing(",", with: " ,\r\n\t")
                return try Forge.token(header: header, payload: Array(spaced.utf8), account: account)
            }
            let verification = TokenVerification(
                of: minted.token.reveal(),
                keys: .set(try Accounts.keySet()),
                scope: try sample.scope(),
                now: Accounts.now
            )
            #expect(verification.failures == [])
        }
    }
}
