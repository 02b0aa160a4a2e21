import Testing

@testable import FleetToken

struct SameBytesTests {
    /// Whatever the other bytes are, and however many follow.
    @Test(arguments: [1, 2, 31, 32, 33, 64])
    func `Bytes that differ in one bit are not equal`(count: Int) {
        for filler in [0x00, 0xFF, 0x5A] as [UInt8] {
            let bytes = [UInt8](repeating: filler, count: count)
            #expect(bytes.hasSameBytes(as: bytes))
            for index in bytes.indices {
                for bit in 0..<8 {
                    var other = bytes
                    other[index] ^= 1 << bit
                    #expect(!bytes.hasSameBytes(as: other))
                    #expect(!other.hasSameBytes(as: bytes))
                }
            }
        }
    }

    @Test
    func `Bytes of different lengths are not equal`() {
        #expect(([] as [UInt8]).hasSameBytes(as: []))
        #expect(!([0] as [UInt8]).hasSameBytes(as: []))
        #expect(!([] as [UInt8]).hasSameBytes(as: [0]))
        #expect(!([1, 2] as [UInt8]).hasSameBytes(as: [1, 2, 3]))
    }

    @Test(
        arguments: [
            "", "a", "aud", "fifteen bytes..", "sixteen bytes...", "driver@fleet.example", "é",
            "e\u{301}", "a\0b", "\r\n", "👩‍👩‍👧",
        ]
    )
    func `A string has the same bytes as itself only`(text: String) {
        #expect(text.hasSameBytes(as: String(decoding: Array(text.utf8), as: UTF8.self)))
        for index in text.utf8.indices {
            var bytes = Array(text.utf8)
            bytes[text.utf8.distance(from: text.startIndex, to: index)] ^= 1
            let other = String(decoding: bytes, as: UTF8.self)
            #expect(!text.hasSameBytes(as: other) && !other.hasSameBytes(as: text))
        }
        #expect(!text.hasSameBytes(as: text + "\0"))
        #expect(!(text + "a").hasSameBytes(as: text))
    }

    /// Swift's `==` finds all of these equal.
    @Test(
        arguments: [
            ("é", "e\u{301}"), ("K", "\u{212A}"), ("\u{1100}\u{1161}", "\u{AC00}"),
            ("a\u{323}\u{307}", "a\u{307}\u{323}"),
        ]
    )
    func `Canonically equivalent strings have different bytes`(one: String, other: String) {
        #expect(one == other)
        #expect(!one.hasSameBytes(as: other))
    }
}
