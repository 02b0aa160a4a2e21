import FleetToken
import JOSE
import Testing

/// Single keys as JSON.
struct JWKTests {
    /// The key of RFC 7638 section 3.1.
    private static let example = """
        {"kty":"RSA","n":"0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECP\
        ebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJ\
        ZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1\
        jF44-csFCur-kEgU8awapJzKnqDKgw","e":"AQAB","alg":"RS256","kid":"2011-04-29"}
        """

    private func parse(_ json: String) throws -> JWK? {
        try JWK(parsing: try JSONParser.parseObject(Array(json.utf8)))
    }

    /// The example with one member changed, or left out.
    private func example(_ name: String, _ value: String?) throws -> String {
        let members = try JSONParser.parseObject(Array(Self.example.utf8)).members
        var writer = JSONWriter()
        writer.object { writer in
            for member in members where member.name != name {
                writer.name(text: member.name)
                writer.value(member.value)
            }
        }
        let json = String(decoding: writer.bytes.dropLast(), as: UTF8.self)
        return json + (value.map { #","\#(name)":\#($0)}"# } ?? "}")
    }

    @Test
    func `The thumbprint is that of RFC 7638`() throws {
        #expect(try parse(Self.example)?.rsa?.thumbprint == "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs")
    }

    @Test
    func `Without kid, the thumbprint is the ID`() throws {
        #expect(try parse(try example("kid", nil))?.keyID == "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs")
        #expect(try parse(Self.example)?.keyID == "2011-04-29")
    }

    @Test(
        arguments: [
            ("d", #""AQAB""#), ("p", #""AQAB""#), ("oth", "[]"), ("d", "null"),
            ("n", nil), ("n", "null"), ("n", #""""#), ("n", "65537"), ("n", #""AQAB""#), ("n", #""AAAA""#),
            ("n", #""n==""#), ("n", #""AQ+B""#), ("n", #""A""#), ("n", #""AQAB\n""#),
            // Text that is not base64url; then 0, 1, 2, 3, 4, 17, 65535, 65536, 2^32 + 1 and 2^64 + 1.
            ("e", nil), ("e", "null"), ("e", #""""#), ("e", "65537"), ("e", #""AR""#), ("e", #""AQAB=""#),
            ("e", #""AQ+B""#), ("e", #""A""#), ("e", #""AQAB\n""#),
            ("e", #""AA""#), ("e", #""AQ""#), ("e", #""Ag""#), ("e", #""Aw""#), ("e", #""AAM""#), ("e", #""BA""#),
            ("e", #""EQ""#), ("e", #""__8""#), ("e", #""AAD__w""#), ("e", #""AQAA""#), ("e", #""AQAAAAE""#),
            ("e", #""AQAAAAAAAAAB""#),
            ("kid", #""""#), ("kid", "5"), ("kid", #""a b""#), ("kid", #""a\u0000""#), ("kid", "null"),
            ("kid", #""\u212A""#),
        ] as [(String, String?)]
    )
    func `Refuses keys that must not verify`(name: String, value: String?) throws {
        let json = try example(name, value)
        #expect { try parse(json) } throws: { ($0 as? JOSEError)?.code == .invalidKey }
    }

    @Test(
        arguments: [
            ("kty", #""EC""#), ("kty", #""oct""#), ("kty", #""rsa""#), ("kty", "null"), ("kty", nil),
            ("use", #""enc""#), ("use", #""SIG""#), ("use", "1"), ("use", "null"), ("key_ops", #"["encrypt"]"#),
            ("key_ops", #""verify""#), ("alg", #""RS512""#), ("alg", #""PS256""#), ("alg", #""ES256""#),
            ("alg", #""HS256""#), ("alg", #""RSA-OAEP""#), ("alg", #""none""#), ("alg", "null"),
        ] as [(String, String?)]
    )
    func `Ignores keys of another type, or for another use`(name: String, value: String?) throws {
        #expect(try parse(try example(name, value)) == nil)
    }

    @Test
    func `Leading zeros, as Java writes them, make no other key`() throws {
        let genuine = try #require(try parse(Self.example))
        let modulus = try #require(genuine.rsa).modulus
        for zeros in [[0], [0, 0, 0]] as [[UInt8]] {
            let n = try example("n", "\"\(String(decoding: Base64URL.encode(zeros + modulus), as: UTF8.self))\"")
            #expect(try parse(n) == genuine)
            let e = try example("e", "\"\(String(decoding: Base64URL.encode(zeros + [1, 0, 1]), as: UTF8.self))\"")
            #expect(try parse(e) == genuine)
        }
    }

    @Test(
        arguments: [
            // RFC 7515 appendix A.3 and RFC 8037 appendix A.3.
            (
                #"{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}"#,
                "oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U"
            ),
            (
                #"{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#,
                "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"
            ),
        ]
    )
    func `Keys of other types have a thumbprint, too`(json: String, thumbprint: String) throws {
        let object = try JSONParser.parseObject(Array(json.utf8))
        #expect(try JWK(parsing: object, for: JWSAlgorithm.allCases)?.keyID == thumbprint)
    }

    @Test(
        arguments: [
            (#"{"kty":"RSA","x5c":["MIIB"]}"#, "n is missing; a certificate in x5c is not read"),
            (#"{"kty":"RSA","n":"AQAB"}"#, "e is missing"),
            (#"{"kty":"EC","crv":"P-256","x":"AQAB","y":"AQAB"}"#, "x has 3 bytes, not the 32 of P-256"),
        ]
    )
    func `A key that cannot be used says why`(json: String, reason: String) throws {
        let object = try JSONParser.parseObject(Array(json.utf8))
        let error = #expect(throws: JOSEError.self) { try JWK(parsing: object, for: JWSAlgorithm.allCases) }
        #expect(error?.description.contains(reason) == true)
    }

    @Test(arguments: [1_025, 10_000, 190_000])
    func `A key with a huge number is refused unread`(bytes: Int) throws {
        let number = String(decoding: Base64URL.encode([UInt8](repeating: 0xFF, count: bytes)), as: UTF8.self)
        for name in ["n", "e"] {
            let json = try example(name, "\"\(number)\"")
            #expect { try parse(json) } throws: { ($0 as? JOSEError)?.code == .invalidKey }
        }
    }

    @Test
    func `Keys with optional members or another safe exponent are read`() throws {
        for (name, value) in [
            ("use", #""sig""#), ("use", nil), ("alg", nil), ("x5t", #""x""#), ("key_ops", #"["sign","verify"]"#),
            // An exponent of 2^24 + 1.
            ("e", #""AQAAAQ""#),
        ] {
            #expect(try parse(try example(name, value))?.rsa?.bits == 2048)
        }
    }
}
