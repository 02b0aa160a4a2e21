import JOSE
import StrictCoding
import Testing

/// What the vectors of others do not have.
@Suite("Callers' verification keys")
struct VerificationKeyTests {
    /// RFC 8037 appendix A.4, a key whose signature is good in one form only.
    private static let ed25519 = #"{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#
    /// RFC 7515 appendix A.3.
    private static let p256 =
        #"{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}"#
    /// RFC 7515 appendix A.4.
    private static let p521 =
        #"{"kty":"EC","crv":"P-521","x":"AekpBQ8ST8a8VcfVOTNl353vSrDCLLJXmPk06wTjxrrjcBpXp5EOnYG_NjFZ6OvLFV1jSfS9tsz4qUxcWceqwQGk","y":"ADSmRA43Z1DSNx_RvcLI87cdL07l6jQyyBXMoxVg_l2Th-x3S1WDhjDly79ajL4Kkd0AZMaZmh9ubmf63e3kyMj2"}"#

    private func key(_ json: String, for algorithms: [JWSAlgorithm] = JWSAlgorithm.allCases) throws -> VerificationKey?
    {
        try VerificationKey(parsing: try JSONParser.parseObject(Array(json.utf8)), for: algorithms)
    }

    @Test("RFC 7515's ES512 signature is taken, and no changed one")
    func es512() throws {
        let signature = try Base64URL.decode(
            Array(
                "AdwMgeerwtHoh-l192l60hp9wAHZFVJbLfD_UxMi70cwnZOYaRI1bKPWROc-mZZqwqT2SI-KGDKB34XO0aw_7XdtAG8GaSwFKdCAPZgoXD2YBJZCPEX3xKpRwcdOO8KpEHwJjyqOgzDO7iKvU8vcnwNrmxYbSW9ERBXukOXolLzeO_Jn"
                    .utf8
            )
        )
        let message = Array("eyJhbGciOiJFUzUxMiJ9.UGF5bG9hZA".utf8)
        let key = try #require(try key(Self.p521))
        #expect(key.algorithms == [.es512])
        #expect(key.isValidSignature(signature, of: message, by: .es512))
        for index in signature.indices {
            var changed = signature
            changed[index] ^= 1
            #expect(!key.isValidSignature(changed, of: message, by: .es512))
        }
        for algorithm in JWSAlgorithm.allCases where algorithm != .es512 {
            #expect(!key.isValidSignature(signature, of: message, by: algorithm))
        }
    }

    @Test("A signature that begins with zeros is refused without them", arguments: [JWSAlgorithm.rs256, .ps256])
    func leadingZeros(algorithm: JWSAlgorithm) throws {
        let jwk = try SharedKeys.key().publicKey.verificationJWK
        let key = try #require(try VerificationKey(parsing: jwk))
        var number = 0
        while true {
            let message = Array("message \(number)".utf8)
            let signature = try SharedKeys.libcryptoKey().signature(over: message, isPSS: algorithm == .ps256)
            #expect(key.isValidSignature(signature, of: message, by: algorithm))
            if signature[0] == 0 {
                #expect(!key.isValidSignature(Array(signature.drop { $0 == 0 }), of: message, by: algorithm))
                #expect(!key.isValidSignature([0] + signature, of: message, by: algorithm))
                return
            }
            number += 1
            try #require(number < 10_000)
        }
    }

    @Test("Eight threads verify with one key, each with a context of its own")
    func threads() async throws {
        let key = try #require(try VerificationKey(parsing: try SharedKeys.key().publicKey.verificationJWK))
        let signer = try SharedKeys.libcryptoKey()
        await withTaskGroup(of: Int.self) { group in
            for thread in 0..<8 {
                group.addTask {
                    (0..<50).count { round in
                        let message = Array("thread \(thread), round \(round)".utf8)
                        let algorithm: JWSAlgorithm = round.isMultiple(of: 2) ? .ps256 : .rs256
                        guard let signature = try? signer.signature(over: message, isPSS: algorithm == .ps256) else {
                            return false
                        }
                        return key.isValidSignature(signature, of: message, by: algorithm)
                            && !key.isValidSignature(signature, of: message + [0], by: algorithm)
                    }
                }
            }
            for await valid in group { #expect(valid == 50) }
        }
    }

    @Test(
        "Keys of another kind are ignored",
        arguments: [
            #"{"kty":"oct","k":"AAAA"}"#, #"{"kty":"EC","crv":"secp256k1","x":"AA","y":"AA"}"#,
            #"{"kty":"OKP","crv":"Ed448","x":"AA"}"#, #"{"kty":"OKP","crv":"P-256","x":"AA","y":"AA"}"#,
            #"{"kty":"EC","crv":"Ed25519","x":"AA"}"#, #"{"kty":"rsa","n":"AA","e":"AQAB"}"#, "{}",
            #"{"kty":"O\u212AP","crv":"Ed25519","x":"AA"}"#, #"{"kty":["RSA"],"n":"AA","e":"AQAB"}"#,
        ]
    )
    func otherKinds(json: String) throws {
        #expect(try key(json) == nil)
    }

    @Test("A key's alg narrows what it verifies; one of another kind leaves nothing")
    func algorithms() throws {
        #expect(try key(Self.p256)?.algorithms == [.es256])
        #expect(try key(Self.p256, for: [.es384, .rs256]) == nil)
        #expect(try key(Self.p256.replacing("{", with: #"{"alg":"ES384","#)) == nil)
        #expect(try key(Self.ed25519)?.algorithms == [.edDSA])
        #expect(throws: JOSEError.self) { try key(Self.p256.replacing("{", with: #"{"alg":7,"#)) }
    }

    @Test(
        "A point that is not on its curve is refused",
        arguments: [
            p256.replacing("P-256", with: "P-384"), p521.replacing("P-521", with: "P-256"),
            p256.replacing("x_FEz", with: "x_FEy"), p521.replacing("ADSmRA", with: "ADSmRB"),
            // x as y, and the right point with a leading zero.
            #"{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"}"#,
            #"{"kty":"EC","crv":"P-256","x":"AH_NzidwEvRdQYPL7m_bS3tYBzM1e-nvE7rPbjx70VRF","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}"#,
            #"{"kty":"EC","crv":"P-256","x":"","y":""}"#,
        ]
    )
    func points(json: String) {
        #expect(throws: JOSEError.self) { try key(json) }
    }

    @Test("HMAC-SHA-256 gives the codes of RFC 4231, and SHA-1 the digest of FIPS 180-4")
    func codes() {
        let message = Array("what do ya want for nothing?".utf8)
        #expect(
            Hexadecimal.text(HMACSHA256.code(for: message, key: Array("Jefe".utf8)))
                == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        )
        let long = HMACSHA256.code(
            for: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            key: [UInt8](repeating: 0xAA, count: 131)
        )
        #expect(Hexadecimal.text(long) == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
        // With an empty key, which shared rates without a secret have.
        #expect(
            Hexadecimal.text(HMACSHA256.code(for: [], key: []))
                == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"
        )
        #expect(
            Hexadecimal.text(SHA1Digest.bytes(of: Array("abc".utf8))) == "a9993e364706816aba3e25717850c26c9cd0d89d"
        )
    }
}

extension RSAPublicKey {
    /// The key as an issuer publishes it.
    fileprivate var verificationJWK: JSONObject {
        var jwk = JSONObject()
        _ = jwk.append(.init("kty", .string("RSA")))
        _ = jwk.append(.init("n", .string(String(decoding: Base64URL.encode(modulus), as: UTF8.self))))
        _ = jwk.append(.init("e", .string(String(decoding: Base64URL.encode(exponent), as: UTF8.self))))
        return jwk
    }
}
