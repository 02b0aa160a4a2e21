import FleetToken
import JOSE
import Testing

/// One token, one spelling; and hostile input costs no more than its size, which is bounded.
struct FormTests {
    @Test
    func `A signed token is verified, and the same payload becomes the same token`() throws {
        let token = try Forge.signed()
        let jws = try CompactJWS(parsing: token)
        try jws.verify(with: try SharedKeys.key().publicKey)
        try jws.verify(with: try Forge.keySet())
        #expect(jws.payload == Array(Forge.payload.utf8))
        #expect(jws.headerJSON == Array(Forge.header.utf8))
        let input = CompactJWS.signingInput(
            payload: jws.payload,
            encodedHeader: Base64URL.encode(JWSHeader.encoded(keyID: "key-1"))
        )
        #expect(CompactJWS.token(input, signature: try SharedKeys.key().signature(for: input)) == token)
    }

    @Test
    func `A token of more than 16 KiB is refused unread`() throws {
        for byte in ".A{\u{0}".utf8 {
            #expect(try Forge.refusal(of: [UInt8](repeating: byte, count: 1_000_000))?.code == .tooLarge)
        }
        let edge = [UInt8](repeating: UInt8(ascii: "."), count: 16_384)
        #expect(try Forge.refusal(of: edge)?.code == .malformedToken)
        #expect(try Forge.refusal(of: edge + [UInt8(ascii: ".")])?.code == .tooLarge)
    }

    @Test
    func `A token of exactly 16 KiB is accepted`() throws {
        let overhead = try Forge.signed(payload: "").count
        // Base64url has no encoding whose length leaves the remainder 1 by 4.
        let room = 16_384 - overhead
        let count = room / 4 * 3 + [0, 0, 1, 2][room % 4]
        let token = try Forge.signed(payload: String(repeating: " ", count: count))
        try #require(16_384 - token.count <= 1)
        try Forge.verify(token)
        let larger = try Forge.signed(payload: String(repeating: " ", count: count + 2))
        #expect(try Forge.refusal(of: larger)?.code == .tooLarge)
    }

    @Test(arguments: [0, 1, 3, 4, 5, 16_000])
    func `A token with fewer or more than three parts is refused`(dots: Int) throws {
        let token = Array(repeatElement("e30", count: dots + 1).joined(separator: ".").utf8.prefix(16_000))
        #expect(try Forge.refusal(of: token)?.code == .malformedToken)
    }

    @Test(arguments: [".", ".e30", ".e30.e30"])
    func `A signed token with more parts is refused`(parts: String) throws {
        let token = try Forge.signed() + Array(parts.utf8)
        #expect(try Forge.refusal(of: token)?.code == .malformedToken)
    }

    @Test
    func `A header with deep nesting, a long number or many values is refused`() throws {
        let deep = #"{"alg":"RS256","kid":"key-1","x":"# + String(repeating: "[", count: 10_000)
        let balanced = deep + String(repeating: "]", count: 10_000) + "}"
        let number = #"{"alg":"RS256","kid":"key-1","x":1"# + String(repeating: "0", count: 11_000) + "}"
        // With the header, alg, kid and x: 65 values.
        let many = #"{"alg":"RS256","kid":"key-1","x":["# + String(repeating: "1,", count: 60) + "1]}"
        for header in [deep, balanced, number, many] {
            let json = Array(header.utf8)
            #expect { try JWSHeader(parsing: json) } throws: { ($0 as? JOSEError)?.code == .malformedToken }
        }
        #expect(try Forge.refusal(of: try Forge.signed(header: number))?.code == .malformedToken)
    }

    @Test(arguments: [0, 1, 2])
    func `Another spelling of a part is refused`(part: Int) throws {
        let parts = try Forge.signed().split(separator: UInt8(ascii: ".")).map(Array.init)
        try #require(parts.count == 3)
        func refusal(_ change: (inout [UInt8]) -> Void) throws -> JOSEError? {
            var parts = parts
            change(&parts[part])
            return try Forge.refusal(of: Array(parts.joined(separator: [UInt8(ascii: ".")])))
        }
        for insertion in ["=", "==", "+", "/", " ", "\n", "\r\n", "\t", "\u{0}", "%3D", "é", "!"] {
            for position in [0, parts[part].count / 2, parts[part].count] {
                #expect(try refusal { $0.insert(contentsOf: Array(insertion.utf8), at: position) } != nil)
            }
        }
        // The bytes of each part leave bits over in the last character, which must be zero.
        try #require(parts[part].count % 4 > 0)
        #expect(try refusal { $0[$0.count - 1] += 1 }?.code == .malformedToken)
    }

    @Test(arguments: [" ", "\n", "\r\n", "\t", "\u{0}", "\u{FEFF}", "Bearer ", "\""])
    func `Text around a token is refused`(text: String) throws {
        let token = try Forge.signed()
        #expect(try Forge.refusal(of: Array(text.utf8) + token)?.code == .malformedToken)
        #expect(try Forge.refusal(of: token + Array(text.utf8))?.code == .malformedToken)
    }
}
