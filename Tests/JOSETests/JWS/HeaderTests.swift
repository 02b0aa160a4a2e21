import FleetToken
import JOSE
import Testing

/// Headers that a token must not have, however genuine its signature.
struct HeaderTests {
    @Test(
        arguments: [
            #""jwk":{"kty":"RSA","n":"AQAB","e":"AQAB"}"#, #""jku":"https://keys.example/jwks.json""#,
            #""jku":"file:///etc/passwd""#, #""x5u":"https://keys.example/certificate.pem""#, #""x5c":["AQAB"]"#,
            #""jwk":null"#, #""jku":5"#, #""crit":["b64"],"b64":false"#, #""crit":["exp"],"exp":1"#, #""crit":[]"#,
            #""crit":"exp""#, #""b64":false"#, #""b64":true"#, #""zip":"DEF""#, #""zip":null"#,
        ]
    )
    func `A parameter that brings a key or an extension is forbidden`(parameters: String) throws {
        let token = try Forge.signed(header: #"{"alg":"RS256","kid":"key-1",\#(parameters)}"#)
        #expect(try Forge.refusal(of: token)?.code == .forbiddenHeader)
    }

    @Test(
        arguments: [
            #""""#, #"" ""#, #""' OR 1=1""#, #""key-1\r\nSet-Cookie: x""#, #""key-1\u0000""#, #""\u0000""#,
            #""key\u001b[2J""#, #""k\u00e9y""#, #""\u212aey-1""#, #""\u202ekey""#, "5", "null", "true", #"["key-1"]"#,
            #"{"kid":"key-1"}"#,
        ]
    )
    func `A key ID that is not visible ASCII is malformed`(value: String) throws {
        let token = try Forge.signed(header: #"{"alg":"RS256","kid":\#(value)}"#)
        #expect(try Forge.refusal(of: token)?.code == .malformedToken)
    }

    @Test(
        arguments: [
            #"{"alg":"none","alg":"RS256","kid":"key-1"}"#, #"{"alg":"RS256","alg":"RS256","kid":"key-1"}"#,
            #"{"alg":"RS256","\u0061lg":"none","kid":"key-1"}"#, #"{"alg":"RS256","kid":"key-2","kid":"key-1"}"#,
            #"{"alg":"RS256","kid":"key-1","x":{"a":1,"a":2}}"#, "", "null", "[]", "5", #""RS256""#, "{",
            #"{"alg":"RS256"}x"#, "\u{FEFF}{\"alg\":\"RS256\"}",
        ]
    )
    func `A header with a duplicate name, or that is no JSON object, is malformed`(header: String) throws {
        #expect(try Forge.refusal(of: try Forge.signed(header: header))?.code == .malformedToken)
    }

    @Test
    func `Verifies no token with the key in its header`() throws {
        let attacker = try SharedKeys.otherKey()
        var keys = JWKSet()
        try keys.insert(JWK(attacker.publicKey, keyID: "key-1"))
        let jwk = String(decoding: keys.encoded().dropFirst(9).dropLast(2), as: UTF8.self)
        let token = try Forge.token(header: #"{"alg":"RS256","kid":"key-1","jwk":\#(jwk)}"#) {
            try attacker.signature(for: $0)
        }
        // Read as the attacker wants it, the token would be in order.
        try #require(try JWK(parsing: try JSONParser.parseObject(Array(jwk.utf8)))?.rsa == attacker.publicKey)
        #expect(try Forge.refusal(of: token)?.code == .forbiddenHeader)
    }

    @Test(
        arguments: [
            "../../dev/null", "/dev/null", "'", "'OR'1'='1", "key-2", "KEY-1", "key-1.", "file:///key-1", "$(id)", "*",
            "key-1%00",
        ]
    )
    func `Finds no key by another ID`(keyID: String) throws {
        let token = try Forge.signed(header: #"{"alg":"RS256","kid":"\#(keyID)"}"#)
        let refusal = try #require(try Forge.refusal(of: token))
        #expect(refusal.code == .unknownKey)
        #expect(keyID.utf8.count < 2 || !refusal.description.contains(keyID))
    }

    @Test
    func `A header without a key ID, or with a long one, is refused`() throws {
        #expect(try Forge.refusal(of: try Forge.signed(header: #"{"alg":"RS256"}"#))?.code == .unknownKey)
        for (length, code) in [(128, JOSEError.Code.unknownKey), (129, .malformedToken), (10_000, .malformedToken)] {
            let keyID = String(repeating: "k", count: length)
            let token = try Forge.signed(header: #"{"alg":"RS256","kid":"\#(keyID)"}"#)
            let refusal = try #require(try Forge.refusal(of: token))
            #expect(refusal.code == code)
            #expect(refusal.description.utf8.count < 200)
        }
    }

    @Test
    func `Parameters that change nothing are accepted`() throws {
        let header = #"{"x5t":"AQAB","cty":"JWT","x":[1,{"y":null}],"kid":"key-1","typ":"at+jwt","alg":"RS256"}"#
        try Forge.verify(try Forge.signed(header: header))
        #expect(try JWSHeader(parsing: Array(header.utf8)).type == "at+jwt")
    }

    @Test
    func `A header is read as it was written`() throws {
        #expect(JWSHeader.encoded(keyID: "key-1") == Array(Forge.header.utf8))
        let header = try JWSHeader(parsing: JWSHeader.encoded(keyID: "key-1"))
        #expect([header.algorithm, header.type, header.keyID] == ["RS256", "JWT", "key-1"])
    }
}
