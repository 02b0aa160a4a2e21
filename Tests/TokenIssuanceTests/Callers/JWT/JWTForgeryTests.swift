import Crypto
import FleetToken
import Foundation
import JOSE
import TestSupport
import TestTools
import Testing

@testable import TokenIssuance

/// Tokens that nobody signed, or that have another form than the one that each token has.
///
/// What is wrong in the form of any JWS is a test of JOSE's.
@Suite(.watchdog(seconds: 30))
struct JWTForgeryTests {
    private let scene: AuthenticationScene

    init() throws {
        scene = try AuthenticationScene()
    }

    @Test(arguments: [("HS256", AuthenticationFailure.Code.wrongAlgorithm), ("RS256", .badSignature)])
    func `A token signed with the public key as a shared secret is rejected`(
        algorithm: String,
        code: AuthenticationFailure.Code
    ) async throws {
        let unsigned = try scene.token(.rs256) { $0.header["alg"] = .string(algorithm) }
        let message = Array(unsigned.utf8.prefix(upTo: try #require(unsigned.utf8.lastIndex(of: 0x2E))))
        let secret = SymmetricKey(data: try SigningKey.shared(.rs256).publicKeyPEM)
        let signature = HMAC<Crypto.SHA256>.authenticationCode(for: message, using: secret)
        let token = String(decoding: message + [0x2E] + Base64URL.encode(Array(signature)), as: UTF8.self)
        #expect(await scene.present(token).isRefused(code))
    }

    @Test(
        arguments: [
            (#""none""#, AuthenticationFailure.Code.wrongAlgorithm), (#""RS512""#, .wrongAlgorithm),
            ("null", .malformedToken),
        ]
    )
    func `A token with the algorithm none or an unsupported one is rejected`(
        algorithm: String,
        code: AuthenticationFailure.Code
    ) async throws {
        let key = try SigningKey.shared(.rs256)
        let payload = Array(try Base64URL.decode(Array(try scene.token(.rs256).utf8.split(separator: 0x2E)[1])))
        let header = #"{"alg":\#(algorithm),"typ":"JWT","kid":"\#(key.id)"}"#
        let signed = try key.token(header: Array(header.utf8), payload: payload)
        #expect(await scene.present(signed).isRefused(code))
        let unsigned = String(signed.prefix(through: try #require(signed.lastIndex(of: "."))))
        #expect(await scene.present(unsigned).isRefused(.malformedToken))
    }

    @Test
    func `A token is accepted only if both its key and the configuration allow its algorithm`() async throws {
        let scene = try AuthenticationScene { $0.algorithms = [.rs256, .es256] }
        let rsa = try SigningKey.shared(.rs256)
        let asPSS = SigningKey(rsa, algorithm: .ps256)
        // The same RSA key, whose JWK has no alg: its PS256 signature is right, and PS256 isn't taken.
        #expect(await scene.present(try scene.token(signedBy: asPSS)).isRefused(.wrongAlgorithm))
        #expect(await scene.present(try scene.token(signedBy: rsa)).caller != nil)
        // A taken algorithm that isn't the key's.
        let crossed = try scene.token(signedBy: rsa) { $0.header["alg"] = .string("ES256") }
        #expect(await scene.present(crossed).isRefused(.wrongAlgorithm))
        // A JWK that says RS256 verifies nothing else.
        let named = try #require(try JWK(parsing: try object(rsa.jwk(withAlgorithm: true)), for: [.rs256, .ps256]))
        #expect(named.algorithms == [.rs256])
    }

    @Test
    func `A token whose key ID is not a string is rejected`() async throws {
        let outcome = await scene.present(try scene.token { $0.header["kid"] = .array([.string("key-ES256")]) })
        #expect(outcome.isRefused(.malformedToken))
        #expect(scene.issuer.requests == 0)
    }

    @Test
    func `A token without a key ID that the only key has not signed is rejected`() async throws {
        let other = try SigningKey(id: "key-ES256", .es256)
        let forged = try scene.token(signedBy: other) { $0.header["kid"] = nil }
        #expect(await scene.present(forged).isRefused(.unknownKey))
    }

    @Test(
        arguments: [
            ("jku", JSONValue.string("http://127.0.0.1/keys")), ("crit", .array([.string("exp")])),
        ]
    )
    func `A header parameter that brings a key, or changes how a token is read, is refused, and nothing is fetched`(
        _ name: String,
        _ value: JSONValue
    ) async throws {
        #expect(await scene.present(try scene.token { $0.header[name] = value }).isRefused(.forbiddenHeader))
        #expect(scene.issuer.requests == 0)
    }

    @Test(arguments: ["iss", "role"])
    func `A duplicate claim is rejected`(_ name: String) async throws {
        let good = try scene.token { $0.claims["role"] = .string("driver") }
        let header = try decode(good, part: 0)
        let payload = try decode(good, part: 1)
        let key = try SigningKey.shared(.es256)
        #expect(await scene.present(try key.token(header: header, payload: payload)).caller != nil)
        let before = Array("{\"\(name)\":\"x\",".utf8) + payload.dropFirst()
        let after = payload.dropLast() + Array(",\"\(name)\":\"x\"}".utf8)
        for payload in [before, Array(after)] {
            let token = try key.token(header: header, payload: payload)
            #expect(await scene.present(token).isRefused(.malformedClaims))
        }
    }

    @Test(arguments: ["[]", "", "{\"iss\":\"\\ud800\"}"])
    func `A payload that is not a JSON object is rejected`(_ payload: String) async throws {
        let header = try decode(try scene.token(), part: 0)
        let token = try SigningKey.shared(.es256).token(header: header, payload: Array(payload.utf8))
        #expect(await scene.present(token).isRefused(.malformedClaims))
    }

    @Test
    func `A malformed or oversized token is rejected and causes no fetch`() async throws {
        let nested = String(repeating: "[", count: 10_000)
        let key = try SigningKey.shared(.es256)
        let header = try decode(try scene.token(), part: 0)
        for text in [
            "", "..", String(repeating: "a", count: 1_000_000),
            try key.token(header: header, payload: Array(nested.utf8)),
            try key.token(header: Array(nested.utf8), payload: Array("{}".utf8)),
        ] {
            #expect(await scene.present(text).error?.reason == .invalidCredentials)
        }
        #expect(scene.issuer.requests == 0)
    }

    @Test
    func `Claims of 512 values are accepted, and those of one more rejected`() async throws {
        // The object, its six members, and what is in the list.
        for (groups, isAccepted) in [(512 - 7, true), (513 - 7, false)] {
            let outcome = await scene.present(
                try scene.token { $0.claims["groups"] = .array(Array(repeating: .integer(1), count: groups)) }
            )
            #expect((outcome.caller != nil) == isAccepted)
            #expect(isAccepted || outcome.isRefused(.malformedClaims))
        }
    }

    /// Damage to what the base64 stands for, so that more of it comes through to the signature.
    @Test
    func `A token with a changed part never authenticates`() async throws {
        var generator = SeededGenerator(seed: 2)
        let parts = try scene.token().utf8.split(separator: 0x2E).map { try Base64URL.decode(Array($0)) }
        for round in 0..<300 {
            var damaged = parts
            damaged[round % 3] = generator.damage(parts[round % 3])
            guard damaged != parts else { continue }
            let token = damaged.map { String(decoding: Base64URL.encode($0), as: UTF8.self) }.joined(separator: ".")
            #expect(await scene.refusal(of: token) != nil, "round \(round)")
        }
    }

    private func decode(_ token: String, part: Int) throws -> [UInt8] {
        try Base64URL.decode(Array(token.split(separator: ".")[part].utf8))
    }

    private func object(_ members: [String: JSONValue]) throws -> JSONObject {
        try JSONParser.parseObject(members.json)
    }
}
