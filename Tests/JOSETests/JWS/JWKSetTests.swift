import FleetToken
import JOSE
import TestTools
import Testing

/// Key sets, friendly and hostile.
struct JWKSetTests {
    private func jwk(_ keyID: String, _ key: RSAPublicKey) throws -> String {
        var keys = JWKSet()
        try keys.insert(JWK(key, keyID: keyID))
        return String(decoding: keys.encoded().dropFirst(9).dropLast(2), as: UTF8.self)
    }

    private func refusal(of json: String) -> JOSEError? {
        do {
            _ = try JWKSet(parsing: Array(json.utf8))
            return nil
        } catch {
            return error
        }
    }

    @Test
    func `A set is read as it was written, also an empty one`() throws {
        var keys = JWKSet()
        try keys.insert(JWK(try SharedKeys.key().publicKey, keyID: "a"))
        try keys.insert(JWK(try SharedKeys.otherKey().publicKey))
        let read = try JWKSet(parsing: keys.encoded())
        #expect(read == keys)
        #expect(read.keys.map(\.keyID) == ["a", try SharedKeys.otherKey().publicKey.thumbprint])
        #expect(read["a"]?.rsa == (try SharedKeys.key().publicKey))
        #expect(read["b"] == nil)
        #expect(try JWKSet(parsing: JWKSet().encoded()).keys == [])
    }

    @Test
    func `A key has the members that readers look for`() throws {
        let key = try SharedKeys.key().publicKey
        let object = try JSONParser.parseObject(Array(try jwk("a", key).utf8))
        #expect(object.names == ["kty", "use", "alg", "kid", "n", "e"])
        #expect(object["use"] == .string("sig"))
        #expect(object["alg"] == .string("RS256"))
        #expect(object["e"] == .string("AQAB"))
    }

    @Test
    func `Ignores keys for other uses`() throws {
        let genuine = try jwk("a", try SharedKeys.key().publicKey)
        let others = [
            #"{"kty":"oct","kid":"a","k":"AQAB"}"#,
            #"{"kty":"EC","kid":"b","crv":"P-256","x":"AQAB","y":"AQAB"}"#,
            #"{"kty":"RSA","use":"enc","kid":"c","n":"AQAB","e":"AQAB"}"#,
            #"{"kty":"RSA","alg":"RS512","kid":"d","n":"AQAB","e":"AQAB"}"#,
            #"{"kty":5}"#,
            "{}",
        ]
        let json = #"{"keys":[\#(others.joined(separator: ",")),\#(genuine)],"expires":1}"#
        #expect(try JWKSet(parsing: Array(json.utf8)).keys.map(\.keyID) == ["a"])
    }

    @Test
    func `A set with two keys of one ID is refused`() throws {
        let first = try jwk("a", try SharedKeys.key().publicKey)
        let second = try jwk("a", try SharedKeys.otherKey().publicKey)
        #expect(refusal(of: #"{"keys":[\#(first),\#(second)]}"#)?.code == .invalidKeySet)
        #expect(try JWKSet(parsing: Array(#"{"keys":[\#(first),\#(first)]}"#.utf8)).keys.count == 1)
    }

    @Test(
        arguments: [
            "", "null", "[]", "{}", #"{"keys":null}"#, #"{"keys":{}}"#, #"{"keys":[[]]}"#, #"{"keys":["x"]}"#,
            #"{"keys":[],"keys":[]}"#, #"{"keys":[]}x"#, "<html>", #"{"keys":[{"kty":"RSA","kty":"RSA"}]}"#,
            #"{"keys":"# + String(repeating: "[", count: 100_000),
        ]
    )
    func `Refuses JSON that is not a key set`(json: String) {
        #expect(refusal(of: json)?.code == .invalidKeySet)
    }

    @Test(arguments: ["d", "p", "q", "dp", "dq", "qi", "oth"])
    func `A set with a private key is refused, even if the key is not used`(member: String) throws {
        let genuine = try jwk("a", try SharedKeys.key().publicKey)
        let leaked = genuine.dropLast() + #","\#(member)":"AQAB"}"#
        #expect(refusal(of: #"{"keys":[\#(leaked)]}"#)?.code == .invalidKey)
        let unused = #"{"kty":"EC","crv":"P-256","use":"enc","\#(member)":"AQAB"}"#
        #expect(refusal(of: #"{"keys":[\#(genuine),\#(unused)]}"#)?.code == .invalidKey)
    }

    @Test
    func `Leaves out keys that cannot be used, by ID and reason`() throws {
        let genuine = try jwk("a", try SharedKeys.key().publicKey)
        let unusable = ["weak", "a b"].map { #"{"kty":"RSA","kid":"\#($0)","n":"AQAB","e":"AQAB"}"# }
            .joined(separator: ",")
        let set = try JWKSet(parsing: Array(#"{"keys":[\#(unusable),\#(genuine)]}"#.utf8))
        #expect(set.keys.map(\.keyID) == ["a"])
        #expect(set.unusable.map(\.keyID) == ["weak", nil])
        #expect(set.unusable.allSatisfy { $0.reason.contains("17 bits") })
        #expect(set["weak"] == nil)
        let token = try CompactJWS(parsing: try Forge.signed(header: #"{"alg":"RS256","kid":"weak"}"#))
        let error = #expect(throws: JOSEError.self) { try token.verify(with: set) }
        #expect(error?.code == .unknownKey)
        #expect(error?.description.contains("17 bits") == true)
    }

    @Test
    func `A damaged set is read or refused without a text that acts on a terminal`() throws {
        let set = Array(#"{"keys":[\#(try jwk("a", try SharedKeys.key().publicKey))]}"#.utf8)
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<500 {
            let refusal = refusal(of: String(decoding: generator.damage(set), as: UTF8.self))
            #expect(refusal?.description.utf8.allSatisfy { (0x20...0x7E).contains($0) } ?? true)
        }
    }

    @Test
    func `A byte-order mark before the set is no part of it`() throws {
        #expect(try JWKSet(parsing: Array("\u{FEFF}{\"keys\":[]}".utf8)) == JWKSet())
    }

    @Test
    func `A set that is too large, or has too many keys, is refused`() throws {
        let other = #"{"kty":"oct","k":"AQAB"}"#
        let full = Array(repeating: other, count: 100).joined(separator: ",")
        #expect(refusal(of: #"{"keys":[\#(full)]}"#) == nil)
        #expect(refusal(of: #"{"keys":[\#(full),\#(other)]}"#)?.code == .invalidKeySet)
        let json = #"{"keys":[]}"#
        let spaces = String(repeating: " ", count: 262_144 - json.utf8.count)
        #expect(refusal(of: json + spaces) == nil)
        #expect(refusal(of: json + spaces + " ")?.code == .invalidKeySet)
    }
}
