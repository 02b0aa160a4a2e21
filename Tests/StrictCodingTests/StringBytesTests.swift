import StrictCoding
import Testing

@Suite("Bytes of strings")
struct StringBytesTests {
    @Test(
        "A string has the same bytes as itself only",
        arguments: [
            "", "a", "aud", "fifteen bytes..", "sixteen bytes...", "driver@fleet.example", "é",
            "e\u{301}", "a\0b", "\r\n", "👩‍👩‍👧",
        ]
    )
    func same(text: String) {
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
        "Canonically equivalent strings have different bytes",
        arguments: [
            ("é", "e\u{301}"), ("K", "\u{212A}"), ("\u{1100}\u{1161}", "\u{AC00}"),
            ("a\u{323}\u{307}", "a\u{307}\u{323}"),
        ]
    )
    func equivalent(one: String, other: String) {
        #expect(one == other)
        #expect(!one.hasSameBytes(as: other))
    }

    @Test("A substring is compared as it is")
    func substrings() {
        let path = "/token/driver/vehicle-1"
        let part = path.split(separator: "/")[1]
        #expect(String(part).hasSameBytes(as: "driver"))
    }
}
