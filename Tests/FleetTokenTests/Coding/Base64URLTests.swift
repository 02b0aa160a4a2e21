import FleetToken
import TestTools
import Testing

struct Base64URLTests {
    /// RFC 4648 section 10 without its padding, RFC 7515 appendix C, and the two characters that differ from base64.
    static let vectors: [(bytes: [UInt8], text: String)] = [
        ([], ""),
        (Array("f".utf8), "Zg"),
        (Array("fo".utf8), "Zm8"),
        (Array("foo".utf8), "Zm9v"),
        (Array("foob".utf8), "Zm9vYg"),
        (Array("fooba".utf8), "Zm9vYmE"),
        (Array("foobar".utf8), "Zm9vYmFy"),
        ([3, 236, 255, 224, 193], "A-z_4ME"),
        ([0xFB, 0xEF, 0xBE], "----"),
        ([0xFF, 0xFF, 0xFF], "____"),
        ([0x00], "AA"),
    ]

    @Test(arguments: vectors)
    func `Published examples are encoded and decoded`(bytes: [UInt8], text: String) throws {
        #expect(Base64URL.encode(bytes) == Array(text.utf8))
        #expect(try Base64URL.decode(text.utf8) == bytes)
    }

    @Test(arguments: 0...130)
    func `Bytes of each length are decoded as they were encoded`(count: Int) throws {
        var generator = SeededGenerator(seed: UInt64(count))
        let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let text = Base64URL.encode(bytes)
        #expect(text.count == (count * 4 + 2) / 3)
        #expect(try Base64URL.decode(text) == bytes)
    }

    @Test(arguments: 0...20)
    func `Only the encoding itself is recognized as one`(count: Int) {
        var generator = SeededGenerator(seed: UInt64(count))
        let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let text = Base64URL.encode(bytes)
        #expect(Base64URL.isEncoding(text[...], of: bytes))
        #expect(Base64URL.isEncoding((Array("a.".utf8) + text + Array(".b".utf8))[2..<(2 + text.count)], of: bytes))
        #expect(!Base64URL.isEncoding((text + [UInt8(ascii: "A")])[...], of: bytes))
        for index in text.indices {
            var other = text
            other[index] ^= 1
            #expect(!Base64URL.isEncoding(other[...], of: bytes))
            #expect(!Base64URL.isEncoding(text[..<index], of: bytes))
        }
    }

    @Test(
        arguments: [
            ("Zg==", Base64URLError.outsideAlphabet),
            ("Zg=", .outsideAlphabet),
            ("Zm8=", .outsideAlphabet),
            ("=", .impossibleLength),
            ("====", .outsideAlphabet),
            ("++++", .outsideAlphabet),
            ("////", .outsideAlphabet),
            ("Z g", .outsideAlphabet),
            ("Zg\n", .outsideAlphabet),
            ("Zm9v\r\n", .outsideAlphabet),
            ("Zm\u{0}v", .outsideAlphabet),
            ("Zm9é", .impossibleLength),
            ("Zmé", .outsideAlphabet),
            ("Z", .impossibleLength),
            ("Zm9vY", .impossibleLength),
            ("Zh", .trailingBits),
            ("Zm9", .trailingBits),
            ("QR", .trailingBits),
        ]
    )
    func `Other spellings are refused`(text: String, error: Base64URLError) {
        #expect(throws: error) { try Base64URL.decode(text.utf8) }
    }

    /// Of all two-byte texts, each of the 256 one-byte values has one that is accepted.
    @Test
    func `Each byte has one spelling`() {
        var accepted: [[UInt8]] = []
        for first in UInt8.min...UInt8.max {
            for second in UInt8.min...UInt8.max {
                if let bytes = try? Base64URL.decode([first, second]) { accepted.append(bytes) }
            }
        }
        #expect(accepted.count == 256)
        #expect(Set(accepted).count == 256)
    }
}
