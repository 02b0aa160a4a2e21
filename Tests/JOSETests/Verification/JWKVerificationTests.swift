import FleetToken
import JOSE
import Testing

/// Cases that Wycheproof does not cover.
struct JWKVerificationTests {
    /// RFC 8037 appendix A.4, a key whose signature is good in one form only.
    private static let ed25519 = #"{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#
    /// RFC 7515 appendix A.3.
    private static let p256 =
        #"{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}"#
    /// RFC 7515 appendix A.4.
    private static let p521 =
        #"{"kty":"EC","crv":"P-521","x":"AekpBQ8ST8a8VcfVOTNl353vSrDCLLJXmPk06wTjxrrjcBpXp5EOnYG_NjFZ6OvLFV1jSfS9tsz4qUxcWceqwQGk","y":"ADSmRA43Z1DSNx_RvcLI87cdL07l6jQyyBXMoxVg_l2Th-x3S1WDhjDly79ajL4Kkd0AZMaZmh9ubmf63e3kyMj2"}"#

    private func key(_ json: String, for algorithms: [JWSAlgorithm] = JWSAlgorithm.allCases) throws -> JWK? {
        try JWK(parsing: try JSONParser.parseObject(Array(json.utf8)), for: algorithms)
    }

    @Test
    func `RFC 7515's ES512 signature is taken, and no changed one`() throws {
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

    @Test(arguments: [JWSAlgorithm.rs256, .ps256])
    func `A signature that begins with zeros is refused without them`(algorithm: JWSAlgorithm) throws {
        let jwk = try SharedKeys.key().publicKey.verificationJWK
        let key = try #require(try JWK(parsing: jwk, for: JWSAlgorithm.allCases))
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

    @Test(
        arguments: [
            #"{"kty":"oct","k":"AAAA"}"#, #"{"kty":"EC","crv":"secp256k1","x":"AA","y":"AA"}"#,
            #"{"kty":"OKP","crv":"Ed448","x":"AA"}"#, #"{"kty":"OKP","crv":"X25519","x":"AA"}"#,
            #"{"kty":"OKP","crv":"P-256","x":"AA","y":"AA"}"#,
            #"{"kty":"EC","crv":"Ed25519","x":"AA"}"#, #"{"kty":"rsa","n":"AA","e":"AQAB"}"#, "{}",
            #"{"kty":"O\u212AP","crv":"Ed25519","x":"AA"}"#, #"{"kty":["RSA"],"n":"AA","e":"AQAB"}"#,
        ]
    )
    func `Keys of another kind are ignored`(json: String) throws {
        #expect(try key(json) == nil)
    }

    @Test
    func `A key's alg narrows what it verifies; one of another kind leaves nothing`() throws {
        #expect(try key(Self.p256)?.algorithms == [.es256])
        #expect(try key(Self.p256, for: [.es384, .rs256]) == nil)
        #expect(try key(Self.p256.replacing("{", with: #"{"alg":"ES384","#)) == nil)
        #expect(try key(Self.ed25519)?.algorithms == [.edDSA])
        #expect(throws: JOSEError.self) { try key(Self.p256.replacing("{", with: #"{"alg":7,"#)) }
    }

    @Test(
        arguments: [
            p256.replacing("P-256", with: "P-384"), p521.replacing("P-521", with: "P-256"),
            p256.replacing("x_FEz", with: "x_FEy"), p521.replacing("ADSmRA", with: "ADSmRB"),
            // x as y, and the right point with a leading zero.
            #"{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"}"#,
            #"{"kty":"EC","crv":"P-256","x":"AH_NzidwEvRdQYPL7m_bS3tYBzM1e-nvE7rPbjx70VRF","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}"#,
            #"{"kty":"EC","crv":"P-256","x":"","y":""}"#,
        ]
    )
    func `A point that is not on its curve is refused`(json: String) {
        #expect(throws: JOSEError.self) { try key(json) }
    }

    /// P-256 has a point with x = 5; x + p is no other name for it.
    @Test
    func `A coordinate that is not less than the prime is refused`() throws {
        let y = Self.base64URL("459243b9aa581806fe913bce99817ade11ca503c64d9a3c533415c083248fbcc")
        let five = Self.base64URL(String(repeating: "0", count: 63) + "5")
        #expect(try key(#"{"kty":"EC","crv":"P-256","x":"\#(five)","y":"\#(y)"}"#) != nil)
        let sum = Self.base64URL("ffffffff00000001000000000000000000000001000000000000000000000004")
        #expect(throws: JOSEError.self) { try key(#"{"kty":"EC","crv":"P-256","x":"\#(sum)","y":"\#(y)"}"#) }
    }

    /// The y of the eight points whose order divides 8, and what else encodes them: y + 2^255 - 19, and either sign of x.
    @Test(
        arguments: [
            "0000000000000000000000000000000000000000000000000000000000000000",
            "0100000000000000000000000000000000000000000000000000000000000000",
            "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
            "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
            "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        ],
        [UInt8(0), 0x80]
    )
    func `An Ed25519 point of small order is refused`(y: String, sign: UInt8) throws {
        var point = [UInt8](hexadecimal: y)
        point[31] |= sign
        let refusal = try ed25519Refusal(point)
        #expect(refusal.contains("small order") || refusal.contains("canonical"))
    }

    @Test(
        arguments: [
            // y = 3 + p would be a point; y = 2 is none.
            ("f0ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", "canonical"),
            ("ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff", "canonical"),
            ("0200000000000000000000000000000000000000000000000000000000000000", "not a point on the curve"),
            ("0700000000000000000000000000000000000000000000000000000000000080", "not a point on the curve"),
            (String(repeating: "01", count: 31), ""), (String(repeating: "01", count: 33), ""),
        ]
    )
    func `An invalid encoding of an Ed25519 point is refused`(x: String, reason: String) throws {
        let refusal = try ed25519Refusal([UInt8](hexadecimal: x))
        #expect(reason.isEmpty || refusal.contains(reason))
    }

    /// The keys of RFC 8032 section 7.1, and the base point with y = 4/5.
    @Test(
        arguments: [
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
            "278117fc144c72340f67d0f2316e8386ceffbf2b2428c9c51fef7c597f1d426e",
            "5866666666666666666666666666666666666666666666666666666666666666",
        ]
    )
    func `An Ed25519 point of full order is accepted`(x: String) throws {
        #expect(try key(#"{"kty":"OKP","crv":"Ed25519","x":"\#(Self.base64URL(x))"}"#) != nil)
    }

    private func ed25519Refusal(_ point: [UInt8]) throws -> String {
        let x = String(decoding: Base64URL.encode(point), as: UTF8.self)
        let error = #expect(throws: JOSEError.self) { try key(#"{"kty":"OKP","crv":"Ed25519","x":"\#(x)"}"#) }
        return try #require(error).description
    }

    private static func base64URL(_ digits: String) -> String {
        String(decoding: Base64URL.encode([UInt8](hexadecimal: digits)), as: UTF8.self)
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
