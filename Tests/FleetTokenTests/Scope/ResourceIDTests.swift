import FleetToken
import Testing

struct ResourceIDTests {
    @Test(arguments: ["\u{115F}", "\u{1160}", "\u{3164}", "\u{FFA0}"])
    func `Letters that are invisible are refused`(letter: String) {
        #expect(throws: TokenError.self) { try ResourceID("a" + letter) }
    }

    @Test
    func `Exactly the documented ASCII characters are refused`() {
        for byte in UInt8(0)..<0x80 {
            let scalar = Unicode.Scalar(byte)
            let isValid = (try? ResourceID("a\(scalar)b")) != nil
            #expect(isValid == (byte >= 0x20 && byte < 0x7F && !"/:?,#*\\".utf8.contains(byte)), "\(byte)")
        }
    }

    @Test(
        arguments: [
            ("", "An ID is not valid. It is empty."),
            (".", "An ID is not valid. `.` and `..` are not allowed."),
            ("..", "An ID is not valid. `.` and `..` are not allowed."),
            (String(repeating: "a", count: 65), "An ID is not valid. It is longer than 64 characters."),
            (String(repeating: "*", count: 300), "An ID is not valid. It is longer than 64 characters."),
            (" a", "An ID is not valid. Remove the space at its end."),
            ("cafe\u{301}", "An ID is not valid. Use Unicode Normalization Form C (NFC)."),
            (
                "a*b",
                #"An ID is not valid. Use none of / : ? , # * \, no percent escapes and no invisible characters."#
            ),
        ]
    )
    func `The message names the broken rule`(text: String, message: String) throws {
        let error = try #require(throws: TokenError.self) { try ResourceID(text) }
        #expect(error == TokenError(.invalidID, message))
    }

    @Test
    func `IDs are equal only if their bytes are`() throws {
        let texts = [
            "a", "A", "a.", "a0", "0a", "caf\u{E9}", "cafe", "\u{430}", "\u{FF41}", String(repeating: "a", count: 64),
        ]
        let ids = try texts.map { try ResourceID($0) }
        #expect(Set(ids).count == texts.count)
        for (index, text) in texts.enumerated() {
            let same = try ResourceID(text)
            #expect(ids.firstIndex(of: same) == index)
            #expect(ids[index].hashValue == same.hashValue)
        }
    }
}
