import Crypto
import Foundation
import JOSE
import StrictCoding
import TestSupport
import TestTraits
import Testing

@testable import TokenIssuance

/// Tokens that nobody signed, or that want to be read in a way of their own.
@Suite(.watchdog, .authenticationScene)
struct JWTForgeryTests {
    private let scene = AuthenticationScene.ofTest

    @Test(
        "A token signed with the public key as a shared secret is rejected",
        .tags(.j1),
        arguments: ["HS256", "hs256", "RS256", "PS256"]
    )
    func publicKeyIsNoSharedSecret(_ algorithm: String) async throws {
        let key = try SigningKey.shared(.rs256)
        for secret in try key.publicKeySpellings() {
            let unsigned = try scene.token(.rs256) { $0.header["alg"] = .string(algorithm) }
            let message = Array(unsigned.utf8.prefix(upTo: try #require(unsigned.utf8.lastIndex(of: 0x2E))))
            let code = HMAC<Crypto.SHA256>.authenticationCode(for: message, using: SymmetricKey(data: secret))
            let token = String(decoding: message + [0x2E] + Base64URL.encode(Array(code)), as: UTF8.self)
            let expected: AuthenticationFailure.Code =
                algorithm.hasPrefix("H") || algorithm.hasPrefix("h")
                ? .wrongAlgorithm : .badSignature
            #expect(await scene.present(token).isRefused(expected))
        }
    }

    @Test(
        "A token with the algorithm none or an unsupported one is rejected",
        .tags(.j2),
        arguments: [
            #""none""#, #""None""#, #""NONE""#, #""nOnE""#, #""""#, #""RS256 ""#, #""rs256""#, #""RS512""#, #""RS1""#,
            #""ES384""#, #""ES256K""#, #""\u212AS256""#, "null", "[]", #"["RS256"]"#, "0", "true", "{}",
        ]
    )
    func algorithmThatIsNoneOrNoneOfOursIsRefused(_ algorithm: String) async throws {
        let key = try SigningKey.shared(.rs256)
        let payload = Array(try Base64URL.decode(Array(try scene.token(.rs256).utf8.split(separator: 0x2E)[1])))
        let header = #"{"alg":\#(algorithm),"typ":"JWT","kid":"\#(key.id)"}"#
        let signed = try key.token(header: Array(header.utf8), payload: payload)
        let outcome = await scene.present(signed)
        #expect(outcome.isRefused(.wrongAlgorithm) || outcome.isRefused(.malformedToken))
        let unsigned = String(signed.prefix(through: try #require(signed.lastIndex(of: "."))))
        #expect(await scene.present(unsigned).isRefused(.malformedToken))
    }

    @Test("A token without a signature is rejected", .tags(.j2), arguments: JWSAlgorithm.allCases)
    func tokenWithoutSignatureIsRefused(_ algorithm: JWSAlgorithm) async throws {
        try await AuthenticationScene.run(algorithms: JWSAlgorithm.allCases) { scene async throws in
            let token = try scene.token(algorithm)
            let bare = token.prefix(through: try #require(token.lastIndex(of: ".")))
            #expect(await scene.present(String(bare)).isRefused(.malformedToken))
            #expect(await scene.present(String(bare.dropLast())).isRefused(.malformedToken))
            #expect(await scene.present(bare + "AA").isRefused(.badSignature))
        }
    }

    /// A verifier that notes the algorithm of the first token for a key would take no other from then on.
    @Test(
        "A token with a wrong algorithm does not change what its key verifies",
        .tags(.j3),
        arguments: ["PS256", "RS512", "ES256", "EdDSA", "none", "HS256"]
    )
    func badTokensDontDecideWhatAKeyIsFor(_ algorithm: String) async throws {
        let good = try scene.token(.rs256)
        let bad = try scene.token(.rs256) { $0.header["alg"] = .string(algorithm) }
        for _ in 1...3 {
            let outcome = await scene.present(bad)
            #expect(outcome.isRefused(.badSignature) || outcome.isRefused(.wrongAlgorithm))
            #expect(await scene.present(try scene.token(.rs256)).caller != nil)
        }
        #expect(await scene.present(good).caller != nil)
    }

    @Test("A token is accepted only if both its key and the configuration allow its algorithm", .tags(.j3))
    func keyDecidesWhatItVerifiesAndConfigurationWhatIsTaken() async throws {
        try await AuthenticationScene.run(algorithms: [.rs256, .es256]) { scene async throws in
            let rsa = try SigningKey.shared(.rs256)
            let asPSS = SigningKey(rsa, algorithm: .ps256)
            // The same RSA key, whose JWK has no alg: its PS256 signature is right, and PS256 isn't taken.
            #expect(await scene.present(try scene.token(signedBy: asPSS)).isRefused(.wrongAlgorithm))
            #expect(await scene.present(try scene.token(signedBy: rsa)).caller != nil)
            // A taken algorithm that isn't the key's.
            let crossed = try scene.token(signedBy: rsa) { $0.header["alg"] = .string("ES256") }
            #expect(await scene.present(crossed).isRefused(.wrongAlgorithm))
            // A JWK that says RS256 verifies nothing else.
            let named = try #require(try VerificationKey(parsing: try object(rsa.jwk(withAlgorithm: true))))
            #expect(named.algorithms == [.rs256])
        }
    }

    @Test("A token in a JSON serialization is rejected", .tags(.j4))
    func otherSerialisationsAreRefused() async throws {
        let parts = try scene.token(.rs256).split(separator: ".")
        let flattened = #"{"protected":"\#(parts[0])","payload":"\#(parts[1])","signature":"\#(parts[2])"}"#
        let general =
            #"{"payload":"\#(parts[1])","signatures":[{"protected":"\#(parts[0])","signature":"\#(parts[2])"}]}"#
        let unprotected =
            #"{"header":{"alg":"RS256","kid":"key-RS256"},"payload":"\#(parts[1])","signature":"\#(parts[2])"}"#
        for text in [flattened, general, unprotected] {
            #expect(await scene.present(text).isRefused(.malformedCredentials))
            let inBase64 = String(decoding: Base64URL.encode(Array(text.utf8)), as: UTF8.self)
            #expect(await scene.present(inBase64).isRefused(.malformedToken))
            #expect(await scene.refusal(of: text) == .malformedToken)
        }
    }

    @Test(
        "A token that brings its own key is rejected, and nothing is fetched",
        .tags(.j5),
        arguments: ["jwk", "jku", "x5u", "x5c"]
    )
    func tokensBringNoKeysAlong(_ parameter: String) async throws {
        let attacker = try SigningKey(id: "attacker", .es256)
        try await TestIssuer.run { elsewhere in
            try elsewhere.publish([attacker])
            let values: [JSONValue] = [
                .object(try object(attacker.jwk())), .string(elsewhere.url), .array([.string("MIIB")]),
            ]
            for value in values {
                let forged = try scene.token(signedBy: attacker) { $0.header[parameter] = value }
                #expect(await scene.present(forged).isRefused(.forbiddenHeader))
                // Even where the rest of the token is good.
                let good = try scene.token { $0.header[parameter] = value }
                #expect(await scene.present(good).isRefused(.forbiddenHeader))
            }
            #expect(scene.issuer.requests == 0)
            #expect(elsewhere.requests == 0)
        }
    }

    @Test(
        "A hostile key ID is only compared, and does not reach the log",
        .tags(.j6),
        arguments: [
            "../../dev/null", "' OR 1=1--", "key\r\nSet-Cookie: x", "key\u{0}", "k\u{1B}[2J", "", " ", "key-ES256 ",
            String(repeating: "k", count: 129), String(repeating: "k", count: 10_000), "\u{202E}", "key-\u{212A}",
            "/etc/passwd", "https://evil.example/keys", "%00", "${jndi:ldap://evil}",
        ]
    )
    func keyIDsAreOnlyCompared(_ id: String) async throws {
        let outcome = await scene.present(try scene.token { $0.header["kid"] = .string(id) })
        #expect(outcome.isRefused(.unknownKey) || outcome.isRefused(.malformedToken))
        for line in scene.log.lines {
            #expect(id.utf8.count < 2 || !line.text.contains(id))
            #expect(line.text.utf8.allSatisfy { $0 >= 0x20 })
        }
    }

    @Test(
        "A token whose key ID is missing or not a string is rejected",
        .tags(.j6),
        arguments: [JSONValue?.none, .null, .integer(1), .array([.string("key-ES256")]), .object(JSONObject())]
    )
    func keyIDMustBeThereAndAString(_ id: JSONValue?) async throws {
        let outcome = await scene.present(try scene.token { $0.header["kid"] = id })
        #expect(outcome.isRefused(id == nil ? .unknownKey : .malformedToken))
        #expect(scene.issuer.requests == 0)
    }

    @Test(
        "A header parameter that changes how a token is read is rejected",
        .tags(.j13),
        arguments: [
            ("crit", JSONValue.array([.string("b64")])), ("crit", .array([])), ("crit", .array([.string("exp")])),
            ("b64", .bool(false)), ("b64", .bool(true)), ("zip", .string("DEF")),
        ]
    )
    func headersThatChangeTheReadingAreRefused(_ name: String, _ value: JSONValue) async throws {
        let outcome = await scene.present(try scene.token { $0.header[name] = value })
        #expect(outcome.isRefused(.forbiddenHeader))
    }

    private func object(_ members: [String: JSONValue]) throws -> JSONObject {
        try JSONParser.parseObject(members.json)
    }
}
