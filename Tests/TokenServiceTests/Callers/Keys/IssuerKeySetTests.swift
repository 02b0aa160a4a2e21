import JOSE
import StrictCoding
import TestRandomness
import Testing

@testable import TokenService

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

    @Test func keysOfAllAlgorithmsAreRead() throws {
        let set = try read(try JWTAlgorithm.allCases.map { try SigningKey.shared($0).jwk() })
        #expect(set["key-RS256"]?.algorithms == [.rs256, .ps256])
        #expect(set["key-ES256"]?.algorithms == [.es256])
        #expect(set["key-EdDSA"]?.algorithms == [.edDSA])
        #expect(set["key-none"] == nil)
        #expect(set["KEY-RS256"] == nil)
    }

    /// What is left out must not spoil the rest, and must not be usable.
    @Test(
        arguments: [
            ["use": .string("enc")], ["use": .string("SIG")], ["use": .integer(1)], ["use": .null],
            ["key_ops": .array([.string("encrypt")])], ["key_ops": .string("verify")], ["alg": .string("RS512")],
            ["alg": .string("RSA-OAEP")], ["alg": .string("none")], ["alg": .string("HS256")],
            ["alg": .string("ES256")],
            ["kid": .integer(1)], ["kid": .string("")], ["kid": .string("a b")], ["kid": .string("\u{212A}")],
            ["kty": .string("rsa")], ["kty": .string("oct"), "k": .string("AAAA")],
            ["kty": .string("OKP"), "crv": .string("X25519")],
            ["kty": .string("EC"), "crv": .string("P-384")], ["kty": .string("EC"), "crv": .string("secp256k1")],
            ["kty": .string("O\u{212A}P"), "crv": .string("Ed25519")], ["kty": .null],
        ] as [[String: JSONValue]]
    )
    func j8KeysForOtherUsesAreLeftOut(_ members: [String: JSONValue]) throws {
        let other = try rsa { jwk in
            jwk["kid"] = .string("other")
            jwk.merge(members) { $1 }
        }
        let set = try read([other, try rsa()])
        #expect(set["other"] == nil)
        #expect(set["key-RS256"] != nil)
        #expect(throws: JOSEError.self) { try read([other]) }
    }

    @Test func j8KeysWithoutAnIDAreLeftOut() throws {
        let anonymous = try rsa { $0["kid"] = nil }
        #expect(throws: JOSEError.self) { try read([anonymous]) }
        #expect(try read([anonymous, anonymous, try rsa()])["key-RS256"] != nil)
    }

    @Test func operationsMayBeNamed() throws {
        let jwk = try rsa { $0["key_ops"] = .array([.string("sign"), .string("verify")]) }
        #expect(try read([jwk])["key-RS256"] != nil)
    }

    @Test(arguments: ["d", "p", "q", "dp", "dq", "qi", "oth"])
    func j8PrivateKeysMakeTheSetUnusable(_ member: String) throws {
        let leaked = try rsa {
            $0["kid"] = .string("leaked")
            $0[member] = .string("AQAB")
        }
        #expect(throws: JOSEError.self) { try read([try rsa(), leaked]) }
    }

    @Test func j8RSAKeysMustBeOfASizeThatIsSafe() throws {
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
        #expect(try !isUsable([0] + modulus))
        #expect(try !isUsable([0x7F] + modulus.dropFirst()))
        #expect(try !isUsable(modulus.dropLast() + [modulus[255] & 0xFE]))
        #expect(try !isUsable([UInt8](repeating: 0xFF, count: 1025)))
        #expect(try !isUsable([UInt8](repeating: 0xFF, count: 100_000)))
        #expect(try !isUsable([]))
        #expect(try isUsable([UInt8](repeating: 0xFF, count: 1024)))
        for exponent in [[], [0], [1], [2], [4], [1, 0, 0], [0, 3], [0, 1, 0, 1], [1, 0, 0, 0, 1]] as [[UInt8]] {
            #expect(try !isUsable(modulus, exponent))
        }
        #expect(try isUsable(modulus, [3]))
    }

    @Test(arguments: ["n", "e"])
    func j8RSANumbersAreBase64URL(_ name: String) throws {
        for value in [
            nil, .null, .integer(3), .string(""), .string("AQAB="), .string("AQ+B"), .string("A"), .string("AQAB\n"),
        ]
            as [JSONValue?]
        {
            #expect(throws: JOSEError.self) { try read([try rsa { $0[name] = value }]) }
        }
    }

    @Test func j8PointsAreOnTheirCurve() throws {
        func isUsable(_ algorithm: JWTAlgorithm, _ change: (inout [String: JSONValue]) -> Void) throws -> Bool {
            var jwk = try SigningKey.shared(algorithm).jwk()
            change(&jwk)
            return (try? read([jwk])) != nil
        }
        let zero = JSONValue.base64URL([UInt8](repeating: 0, count: 32))
        #expect(try isUsable(.es256) { _ in })
        #expect(try !isUsable(.es256) { $0["x"] = zero })
        #expect(try !isUsable(.es256) { $0["x"] = $0["y"] })
        #expect(try !isUsable(.es256) { $0["y"] = nil })
        #expect(try !isUsable(.es256) { $0["y"] = .base64URL([UInt8](repeating: 1, count: 31)) })
        #expect(try !isUsable(.es256) { $0["x"] = .base64URL([UInt8](repeating: 0, count: 33)) })
        #expect(try isUsable(.edDSA) { _ in })
        #expect(try !isUsable(.edDSA) { $0["x"] = .base64URL([UInt8](repeating: 1, count: 31)) })
        #expect(try !isUsable(.edDSA) { $0["x"] = .base64URL([UInt8](repeating: 1, count: 33)) })
        #expect(try !isUsable(.edDSA) { $0["x"] = nil })
    }

    @Test func j8TwoKeysWithOneIDMakeTheSetUnusable() throws {
        let other = SigningKey(try SigningKey.shared(.es256), id: "key-RS256")
        #expect(throws: JOSEError.self) { try read([try rsa(), try other.jwk()]) }
        #expect(throws: JOSEError.self) { try read([try rsa(), try rsa()]) }
        // One that is for encryption is no second.
        #expect(try read([try rsa(), try rsa { $0["use"] = .string("enc") }])["key-RS256"] != nil)
    }

    @Test func j8HundredKeysAndNoMore() throws {
        let key = try SigningKey.shared(.edDSA)
        let keys = try (0...100).map { try SigningKey(key, id: "key-\($0)").jwk() }
        #expect(try read(Array(keys.prefix(100)))["key-99"] != nil)
        #expect(throws: JOSEError.self) { try read(keys) }
        let symmetric = (0...100).map { ["kty": .string("oct"), "kid": .string("\($0)")] as [String: JSONValue] }
        #expect(throws: JOSEError.self) { try read(symmetric) }
    }

    @Test(arguments: [
        "", "{}", "[]", "null", #"{"keys":{}}"#, #"{"keys":null}"#, #"{"keys":[1]}"#, #"{"keys":["x"]}"#,
        #"{"keys":[[]]}"#,
        #"{"keys":[]} x"#, #"{"keys":[],"keys":[]}"#, #"{"Keys":[]}"#, "<html>", #"{"keys":[{}]}"#,
    ])
    func j8WhatIsNoSetIsRefused(_ json: String) {
        #expect(throws: JOSEError.self) { try IssuerKeySet(parsing: Array(json.utf8)) }
    }

    @Test func j8MembersMustBeThereOnce() throws {
        let good = String(decoding: [try rsa()].keySet, as: UTF8.self)
        #expect(throws: JOSEError.self) {
            try IssuerKeySet(parsing: Array(good.replacing(#""kty""#, with: #""kty":"oct","kty""#).utf8))
        }
    }

    @Test func sizeIsBounded() throws {
        let good = [try rsa()].keySet
        func padded(to size: Int) -> [UInt8] { good + [UInt8](repeating: 0x20, count: size - good.count) }
        #expect(throws: Never.self) { try IssuerKeySet(parsing: padded(to: 262_144)) }
        #expect(throws: JOSEError.self) { try IssuerKeySet(parsing: padded(to: 262_145)) }
    }

    @Test func damagedSetsAreRefusedOrHoldOnlyWhatWasPublished() throws {
        let good = try JWTAlgorithm.allCases.map { try SigningKey.shared($0).jwk() }.keySet
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
