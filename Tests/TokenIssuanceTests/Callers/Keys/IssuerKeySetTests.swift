import FleetToken
import JOSE
import TestSupport
import Testing

@testable import TokenIssuance

/// What issuers' key sets must have beyond the rules of any key set.
@Suite struct IssuerKeySetTests {
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

    @Test(arguments: [nil, "enc", "sig"] as [String?])
    func `A key set with a symmetric key is refused`(use: String?) throws {
        let secret: [String: JSONValue] = [
            "kty": .string("oct"), "k": .string("AAAA"), "kid": .string("secret"),
            "use": use.map { .string($0) } ?? .null,
        ]
        #expect(throws: JOSEError.self) { try read([try SigningKey.shared(.rs256).jwk(), secret]) }
    }

    @Test(arguments: ["", #"{"keys":[]}"#, #"{"keys":[{}]}"#])
    func `An empty set, or none, is refused`(_ json: String) {
        #expect(throws: JOSEError.self) { try IssuerKeySet(parsing: Array(json.utf8)) }
    }

    @Test
    func `A set whose only key cannot be used is refused with the reason`() throws {
        var weak = try SigningKey.shared(.rs256).jwk()
        weak["n"] = .base64URL([UInt8](repeating: 0xFF, count: 128))
        let error = #expect(throws: JOSEError.self) { try read([weak]) }
        #expect(error?.description.contains("1024 bits") == true)
    }
}
