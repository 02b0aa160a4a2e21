import StrictCoding
import Testing

struct StringBytesTests {
    @Test(arguments: [
        "", "a", "aud", "fifteen bytes..", "sixteen bytes...", "driver@fleet.example", "é",
        "e\u{301}", "a\0b", "\r\n", "👩‍👩‍👧",
    ])
    func aStringHasItsOwnBytesAndNoOthers(text: String) {
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
    @Test(arguments: [
        ("é", "e\u{301}"), ("K", "\u{212A}"), ("\u{1100}\u{1161}", "\u{AC00}"), ("a\u{323}\u{307}", "a\u{307}\u{323}"),
    ])
    func stringsThatOnlyLookTheSameHaveOtherBytes(one: String, other: String) {
        #expect(one == other)
        #expect(!one.hasSameBytes(as: other))
    }

    @Test func aPartOfAStringIsComparedAsItIs() {
        let path = "/token/driver/vehicle-1"
        let part = path.split(separator: "/")[1]
        #expect(String(part).hasSameBytes(as: "driver"))
    }
}
