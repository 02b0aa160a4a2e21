import FleetToken
import JOSE
import TestSupport
import TestTools
import Testing

@testable import TokenIssuance

/// Key sets as careless or hostile issuers publish them.
@Suite struct IssuerKeySetTests {
    private typealias JWK = [String: JSONValue]

    private func rsa(_ change: (inout [String: JSONValue]) -> Void = { _ in }) throws -> [String: JSONValue] {
        var jwk = try SigningKey.shared(.rs256).jwk()
        change(&jwk)
        return jwk
    }

    private func read(_ jwks: [[String: JSONValue]]) throws -> IssuerKeySet {
        try IssuerKeySet(parsing: jwks.keySet)
    }

    @Test
    func `Keys of all algorithms are read`() throws {
        let set = try read(try JWSAlgorithm.allCases.map { try SigningKey.shared($0).jwk() })
        #expect(set["key-RS256"]?.algorithms == [.rs256, .ps256])
        #expect(set["key-ES256"]?.algorithms == [.es256])
        #expect(set["key-EdDSA"]?.algorithms == [.edDSA])
        #expect(set["key-none"] == nil)
        #expect(set["KEY-RS256"] == nil)
    }

    @Test(
        .tags(.j8),
        arguments: [
            ["use": .string("enc")], ["use": .string("SIG")], ["use": .integer(1)], ["use": .null],
            ["key_ops": .array([.string("encrypt")])], ["key_ops": .string("verify")], ["alg": .string("RS512")],
            ["alg": .string("RSA-OAEP")], ["alg": .string("none")], ["alg": .string("HS256")],
            ["alg": .string("ES256")],
            ["kid": .integer(1)], ["kid": .string("")], ["kid": .string("a b")], ["kid": .string("\u{212A}")],
            ["kty": .string("rsa")],
            ["kty": .string("OKP"), "crv": .string("X25519")],
            ["kty": .string("EC"), "crv": .string("P-384")], ["kty": .string("EC"), "crv": .string("secp256k1")],
            ["kty": .string("O\u{212A}P"), "crv": .string("Ed25519")], ["kty": .null],
        ] as [[String: JSONValue]]
    )
    func `A key for another use is ignored`(_ members: [String: JSONValue]) throws {
        let other = try rsa { jwk in
            jwk["kid"] = .string("other")
            jwk.merge(members) { $1 }
        }
        // A key may name its operations.
        let good = try rsa { $0["key_ops"] = .array([.string("sign"), .string("verify")]) }
        let set = try read([other, good])
        #expect(set["other"] == nil)
        #expect(set["key-RS256"] != nil)
        #expect(throws: JOSEError.self) { try read([other]) }
    }

    @Test(.tags(.j8))
    func `A key without an ID has its thumbprint as one`() throws {
        let anonymous = try rsa { $0["kid"] = nil }
        let set = try read([anonymous])
        #expect(set["key-RS256"] == nil)
        #expect(!set.isEmpty)
        #expect(try read([anonymous, anonymous, try rsa()])["key-RS256"] != nil)
    }

    @Test(
        .tags(.j8),
        arguments: [
            (["n": .base64URL([UInt8](repeating: 0xFF, count: 128))], "1024 bits"),
            (["e": .base64URL([3])], "e is not an odd number"), (["n": nil, "x5c": .array([.string("MIIB")])], "x5c"),
            (["kid": .string("a b")], "kid"),
        ] as [([String: JSONValue?], String)]
    )
    func `A key that cannot be used is left out, and named with the reason`(
        _ members: [String: JSONValue?],
        reason: String
    ) throws {
        let unusable = try rsa { jwk in
            jwk["kid"] = .string("weak")
            for (name, value) in members { jwk[name] = value }
        }
        let set = try read([try rsa(), unusable, try SigningKey.shared(.es256).jwk()])
        #expect(set["key-RS256"] != nil && set["key-ES256"] != nil && set["weak"] == nil)
        #expect(set.unusableKeys.map(\.keyID) == [members["kid"] == nil ? "weak" : nil])
        #expect(set.unusableKeys.first?.reason.contains(reason) == true)
        let error = #expect(throws: JOSEError.self) { try read([unusable]) }
        #expect(error?.description.contains(reason) == true)
    }

    @Test(.tags(.j8), arguments: [nil, "enc", "sig"] as [String?])
    func `A key set with a symmetric key is rejected`(use: String?) throws {
        let secret: [String: JSONValue] = [
            "kty": .string("oct"), "k": .string("AAAA"), "kid": .string("secret"),
            "use": use.map { .string($0) } ?? .null,
        ]
        #expect(throws: JOSEError.self) { try read([try rsa(), secret]) }
    }

    @Test(.tags(.j8), arguments: ["d", "p", "q", "dp", "dq", "qi", "oth"])
    func `A key set with a private key is rejected`(_ member: String) throws {
        let leaked = try rsa {
            $0["kid"] = member == "oth" ? nil : .string("leaked")
            $0["use"] = .string(member == "d" ? "sig" : "enc")
            $0[member] = .string("AQAB")
        }
        #expect(throws: JOSEError.self) { try read([try rsa(), leaked]) }
    }

    @Test(.tags(.j8))
    func `An RSA key with an unsafe size or exponent is rejected`() throws {
        let modulus = try Base64URL.decode(Array(try #require(try rsa()["n"]?.stringValue).utf8))
        func isUsable(_ modulus: [UInt8], _ exponent: [UInt8] = [1, 0, 1]) throws -> Bool {
            let jwk = try rsa {
                $0["n"] = .base64URL(modulus)
                $0["e"] = .base64URL(exponent)
            }
            return (try? read([jwk])) != nil
        }
        #expect(try isUsable(modulus))
        #expect(try !isUsable(Array(modulus.suffix(255))))
        #expect(try !isUsable(Array(modulus.suffix(128))))
        #expect(try isUsable([0] + modulus))
        #expect(try !isUsable([0] + modulus.suffix(255)))
        #expect(try !isUsable([0x7F] + modulus.dropFirst()))
        #expect(try !isUsable(modulus.dropLast() + [modulus[255] & 0xFE]))
        #expect(try !isUsable([UInt8](repeating: 0xFF, count: 1025)))
        #expect(try !isUsable([UInt8](repeating: 0xFF, count: 100_000)))
        #expect(try !isUsable([]))
        #expect(try isUsable([UInt8](repeating: 0xFF, count: 1024)))
        for exponent in [
            [], [0], [1], [2], [3], [17], [255, 255], [4], [1, 0, 0], [0, 3], [0, 0, 255, 255], [1, 0, 0, 0, 1],
        ] as [[UInt8]] {
            #expect(try !isUsable(modulus, exponent))
        }
        #expect(try isUsable(modulus, [1, 0, 0, 1]))
        #expect(try isUsable(modulus, [0, 1, 0, 1]))
    }

    @Test(.tags(.j8), arguments: ["n", "e"])
    func `An RSA number that is not base64url is rejected`(_ name: String) throws {
        for value in [
            nil, .null, .integer(3), .string(""), .string("AQAB="), .string("AQ+B"), .string("A"), .string("AQAB\n"),
        ]
            as [JSONValue?]
        {
            #expect(throws: JOSEError.self) { try read([try rsa { $0[name] = value }]) }
        }
    }

    /// P-256 has a point with x = 5; x + p is no other name for it.
    @Test(.tags(.j8))
    func `A coordinate that is not less than the prime is rejected`() throws {
        let y = "459243b9aa581806fe913bce99817ade11ca503c64d9a3c533415c083248fbcc"
        func isUsable(x: String) throws -> Bool {
            var jwk = try SigningKey.shared(.es256).jwk()
            jwk["x"] = .base64URL(Self.bytes(x))
            jwk["y"] = .base64URL(Self.bytes(y))
            return (try? read([jwk])) != nil
        }
        #expect(try isUsable(x: String(repeating: "0", count: 63) + "5"))
        #expect(try !isUsable(x: "ffffffff00000001000000000000000000000001000000000000000000000004"))
    }

    /// The y of the eight points whose order divides 8, and what else encodes them: y + 2^255 - 19, and either sign of x.
    @Test(
        .tags(.j8),
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
    func `An Ed25519 point of small order is rejected`(y: String, sign: UInt8) throws {
        var point = Self.bytes(y)
        point[31] |= sign
        let error = try ed25519Refusal(point)
        #expect(error.contains("small order") || error.contains("canonical"))
    }

    @Test(
        .tags(.j8),
        arguments: [
            // y = 3 + p would be a point; y = 2 is none.
            ("f0ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", "canonical"),
            ("ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff", "canonical"),
            ("0200000000000000000000000000000000000000000000000000000000000000", "not a point on the curve"),
            ("0700000000000000000000000000000000000000000000000000000000000080", "not a point on the curve"),
            (String(repeating: "01", count: 31), ""), (String(repeating: "01", count: 33), ""),
        ]
    )
    func `An invalid encoding of an Ed25519 point is rejected`(x: String, reason: String) throws {
        let refusal = try ed25519Refusal(Self.bytes(x))
        #expect(reason.isEmpty || refusal.contains(reason))
    }

    /// The keys of RFC 8032 section 7.1, and the base point with y = 4/5.
    @Test(
        .tags(.j8),
        arguments: [
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
            "278117fc144c72340f67d0f2316e8386ceffbf2b2428c9c51fef7c597f1d426e",
            "5866666666666666666666666666666666666666666666666666666666666666",
        ]
    )
    func `An Ed25519 point of full order is accepted`(x: String) throws {
        var jwk = try SigningKey.shared(.edDSA).jwk()
        jwk["x"] = .base64URL(Self.bytes(x))
        #expect(try read([jwk])["key-EdDSA"] != nil)
    }

    private func ed25519Refusal(_ point: [UInt8]) throws -> String {
        var jwk = try SigningKey.shared(.edDSA).jwk()
        jwk["x"] = .base64URL(point)
        return try #require(#expect(throws: JOSEError.self) { try read([jwk]) }).description
    }

    private static func bytes(_ digits: String) -> [UInt8] {
        let digits = Array(digits.utf8)
        return stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
        }
    }

    @Test(.tags(.j8))
    func `A key set with two keys of the same ID is rejected`() throws {
        let other = SigningKey(try SigningKey.shared(.es256), id: "key-RS256")
        #expect(throws: JOSEError.self) { try read([try rsa(), try other.jwk()]) }
        // The same key twice is one.
        #expect(try read([try rsa(), try rsa()])["key-RS256"] != nil)
        // One that is for encryption is no second.
        #expect(try read([try rsa(), try rsa { $0["use"] = .string("enc") }])["key-RS256"] != nil)
    }

    @Test(.tags(.j8), arguments: ["", #"{"keys":[]}"#, #"{"keys":[{}]}"#])
    func `An empty set, or none, is refused`(_ json: String) {
        #expect(throws: JOSEError.self) { try IssuerKeySet(parsing: Array(json.utf8)) }
    }

    @Test
    func `A damaged set is refused or has only published keys`() throws {
        let good = try JWSAlgorithm.allCases.map { try SigningKey.shared($0).jwk() }.keySet
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<2000 {
            // It must not crash, and an error must not repeat what it read.
            do {
                _ = try IssuerKeySet(parsing: generator.damage(good))
            } catch {
                #expect(error.description.utf8.allSatisfy { (0x20...0x7E).contains($0) })
            }
        }
    }
}
