import JOSE
import StrictCoding
import TestTraits
import Testing

/// One token, one spelling; and hostile input costs no more than its size, which is bounded.
@Suite("One token has one spelling, of bounded size")
struct FormTests {
    @Test("A signed token is verified")
    func roundTrip() throws {
        let key = try SharedKeys.key()
        let payload = Array(#"{"a":"b"}"#.utf8)
        let token = try CompactJWS.sign(payload: payload, header: JWSHeader(keyID: "key-1"), with: key)
        let jws = try CompactJWS(parsing: token)
        try jws.verify(with: key.publicKey)
        try jws.verify(with: try Forge.keySet())
        #expect(jws.payload == payload)
        #expect(jws.header == JWSHeader(keyID: "key-1"))
        #expect(jws.headerJSON == Array(Forge.header.utf8))
    }

    @Test("The same payload becomes the same token")
    func deterministic() throws {
        let key = try SharedKeys.key()
        let tokens = try (0..<3).map { _ in
            try CompactJWS.sign(payload: [1, 2, 3], header: JWSHeader(keyID: "key-1"), with: key)
        }
        #expect(Set(tokens).count == 1)
    }

    @Test("Refuses more than 16 KiB unread", .tags(.j14))
    func refusesMoreThan16KiBUnread() throws {
        for byte in ".A{\u{0}".utf8 {
            #expect(try Forge.refusal(of: [UInt8](repeating: byte, count: 1_000_000))?.code == .tooLarge)
        }
        let edge = [UInt8](repeating: UInt8(ascii: "."), count: 16_384)
        #expect(try Forge.refusal(of: edge)?.code == .malformedToken)
        #expect(try Forge.refusal(of: edge + [UInt8(ascii: ".")])?.code == .tooLarge)
    }

    @Test("Accepts a token of exactly 16 KiB", .tags(.j14))
    func takesATokenOfExactly16KiB() throws {
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

    @Test("Refuses other numbers of parts", .tags(.j14), arguments: [0, 1, 3, 4, 5, 16_000])
    func refusesOtherNumbersOfParts(dots: Int) throws {
        let token = Array(repeatElement("e30", count: dots + 1).joined(separator: ".").utf8.prefix(16_000))
        #expect(try Forge.refusal(of: token)?.code == .malformedToken)
    }

    @Test("Refuses deep headers, long numbers and many values", .tags(.j14))
    func refusesDeepHeadersLongNumbersAndManyValues() throws {
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

    @Test("Refuses other spellings of a part", .tags(.j15), arguments: [0, 1, 2])
    func refusesOtherSpellingsOfAPart(part: Int) throws {
        let token = try Forge.signed()
        let parts = token.split(separator: UInt8(ascii: ".")).map(Array.init)
        try #require(parts.count == 3)
        let text = parts[part]
        let middle = text.count / 2
        for insertion in ["=", "==", "+", "/", " ", "\n", "\r\n", "\t", "\u{0}", "%3D", "é", "!"] {
            for position in [0, middle, text.count] {
                var parts = parts
                parts[part].insert(contentsOf: Array(insertion.utf8), at: position)
                #expect(try Forge.refusal(of: Array(parts.joined(separator: [UInt8(ascii: ".")]))) != nil)
            }
        }
    }

    @Test("Refuses unused bits that are not zero", .tags(.j15))
    func refusesBitsThatBelongToNoByte() throws {
        // 256 bytes of signature leave four bits over in the last character: 15 other spellings of the same bytes.
        let token = try Forge.signed()
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        let last = try #require(token.last.flatMap { alphabet.firstIndex(of: $0) })
        try #require(last & 0xF == 0)
        for bits in 1...15 {
            let spelling = token.dropLast() + [alphabet[last | bits]]
            #expect(try Forge.refusal(of: Array(spelling))?.code == .malformedToken)
        }
    }

    @Test("Refuses the other base64 alphabet", .tags(.j15))
    func refusesTheOtherBase64Alphabet() throws {
        // Some token has a `-` or `_`; a decoder that takes both alphabets would take this one too.
        let key = try SharedKeys.key()
        var spelled = 0
        for count in 0..<8 {
            let token = try Forge.token(payload: String(repeating: " ", count: count)) { try key.signature(for: $0) }
            let other = token.map { $0 == UInt8(ascii: "-") ? UInt8(ascii: "+") : $0 }
                .map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "/") : $0 }
            guard other != token else { continue }
            spelled += 1
            #expect(try Forge.refusal(of: other)?.code == .malformedToken)
        }
        #expect(spelled > 0)
    }

    @Test(
        "Refuses text around a token",
        .tags(.j15),
        arguments: [" ", "\n", "\r\n", "\t", "\u{0}", "\u{FEFF}", "Bearer ", "\""]
    )
    func refusesWhatStandsAroundAToken(text: String) throws {
        let token = try Forge.signed()
        #expect(try Forge.refusal(of: Array(text.utf8) + token)?.code == .malformedToken)
        #expect(try Forge.refusal(of: token + Array(text.utf8))?.code == .malformedToken)
    }
}
