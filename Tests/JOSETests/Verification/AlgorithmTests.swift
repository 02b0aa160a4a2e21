import FleetToken
import JOSE
import TestSupport
import Testing

/// Who decides how a token is verified: the key, never the token.
struct AlgorithmTests {
    @Test
    func `A token signed with any spelling of the public key as a secret is refused`() throws {
        let key = try SharedKeys.key().publicKey
        let info = DER.subjectPublicKeyInfo(modulus: key.modulus, exponent: key.exponent)
        let pkcs1 = DER.rsaPublicKey(modulus: key.modulus, exponent: key.exponent)
        let pem = DER.pem("PUBLIC KEY", info)
        for secret in [
            pem, Array(pem.dropLast()), [0x20] + pem, pem.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] },
            DER.pem("RSA PUBLIC KEY", pkcs1), info, pkcs1, key.modulus, Base64URL.encode(key.modulus),
            try Forge.keySet().encoded(),
        ] {
            for (algorithm, code) in [("HS256", JOSEError.Code.wrongAlgorithm), ("RS256", .badSignature)] {
                let header = #"{"alg":"\#(algorithm)","typ":"JWT","kid":"key-1"}"#
                let token = Forge.token(header: header) { HMACSHA256.code(for: $0, key: secret) }
                #expect(try Forge.refusal(of: token)?.code == code)
                let jws = try CompactJWS(parsing: token)
                #expect { try jws.verify(with: key) } throws: { ($0 as? JOSEError)?.code == code }
            }
        }
    }

    @Test(
        arguments: [
            "none", "None", "NONE", "nOnE", "rs256", "RS256 ", " RS256", "RS256\\u0000", "\u{FF32}S256", "\\u212AS256",
        ]
    )
    func `Refuses other names for none and for RS256, and an empty signature with any name`(name: String) throws {
        let header = #"{"alg":"\#(name)","typ":"JWT","kid":"key-1"}"#
        #expect(try Forge.refusal(of: try Forge.signed(header: header))?.code == .wrongAlgorithm)
        for unsigned in [Forge.token(header: header) { _ in [] }, Forge.token { _ in [] }] {
            #expect(try Forge.refusal(of: unsigned)?.code == .malformedToken)
        }
    }

    @Test(arguments: [#""""#, "null", #"["RS256"]"#, #"{"RS256":1}"#, "256", "true", nil])
    func `An algorithm that is no name, or missing, is malformed`(value: String?) throws {
        let algorithm = value.map { #""alg":\#($0),"# } ?? ""
        let token = try Forge.signed(header: #"{\#(algorithm)"typ":"JWT","kid":"key-1"}"#)
        #expect(try Forge.refusal(of: token)?.code == .malformedToken)
    }

    @Test(
        arguments: [
            "RS1", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES256K", "EdDSA", "HS256", "RSA-OAEP", "dir",
        ]
    )
    func `Refuses other algorithms and still verifies the next token`(name: String) throws {
        // The set's key is read from JSON without `alg`, as some publish theirs.
        let json = String(decoding: try Forge.keySet().encoded(), as: UTF8.self)
        let withoutAlgorithm = json.replacing(#""alg":"RS256","#, with: "")
        try #require(withoutAlgorithm != json)
        let keys = try JWKSet(parsing: Array(withoutAlgorithm.utf8))
        let other = try CompactJWS(
            parsing: try Forge.signed(header: #"{"alg":"\#(name)","typ":"JWT","kid":"key-1"}"#)
        )
        #expect { try other.verify(with: keys) } throws: { ($0 as? JOSEError)?.code == .wrongAlgorithm }
        try CompactJWS(parsing: try Forge.signed()).verify(with: keys)
    }

    @Test
    func `The JSON serialization is refused`() throws {
        let token = try Forge.signed()
        let parts = token.split(separator: UInt8(ascii: ".")).map { String(decoding: $0, as: UTF8.self) }
        try #require(parts.count == 3)
        let flattened = #"{"protected":"\#(parts[0])","payload":"\#(parts[1])","signature":"\#(parts[2])"}"#
        let unprotected =
            #"{"header":{"alg":"RS256","kid":"key-1"},"payload":"\#(parts[1])","signature":"\#(parts[2])"}"#
        let general =
            #"{"payload":"\#(parts[1])","signatures":[{"protected":"\#(parts[0])","signature":"\#(parts[2])"}]}"#
        for text in [flattened, unprotected, general, "[\(flattened)]"] {
            #expect(try Forge.refusal(of: Array(text.utf8))?.code == .malformedToken)
            #expect(try Forge.refusal(of: Array(text.utf8) + Array("..".utf8))?.code == .malformedToken)
        }
    }
}
