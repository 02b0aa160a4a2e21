import FleetToken
import Testing

@Suite("Resource IDs")
struct ResourceIDTests {
    @Test("Letters that are invisible are refused", arguments: ["\u{115F}", "\u{1160}", "\u{3164}", "\u{FFA0}"])
    func invisibleLetters(letter: String) {
        #expect(throws: TokenError.self) { try ResourceID("a" + letter) }
    }

    /// Every ASCII character, by the list in the documentation.
    @Test("Exactly the documented ASCII characters are allowed", arguments: [ResourceID.Alphabet.ascii, .unicode])
    func ascii(alphabet: ResourceID.Alphabet) {
        let allowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._~-@=+$!()"
        for byte in UInt8(0)..<0x80 {
            let scalar = Unicode.Scalar(byte)
            let isValid = (try? ResourceID("a\(scalar)b", alphabet: alphabet)) != nil
            #expect(isValid == allowed.unicodeScalars.contains(scalar), "\(byte)")
        }
    }

    @Test("The alphabet of apps is Unicode")
    func defaultAlphabet() throws {
        #expect(throws: TokenError.self) { try ResourceID("caf\u{E9}", alphabet: .ascii) }
        #expect(try ResourceID("caf\u{E9}").rawValue == "caf\u{E9}")
        #expect(try TokenScope(kind: .driver, id: "caf\u{E9}").ids.map(\.rawValue) == ["caf\u{E9}"])
    }

    @Test(
        "The message names the broken rule",
        arguments: [
            ("", "An ID is not valid. It is empty."),
            (".", "An ID is not valid. `.` and `..` are not allowed."),
            ("..", "An ID is not valid. `.` and `..` are not allowed."),
            (String(repeating: "a", count: 65), "An ID is not valid. It is longer than 64 characters."),
            (String(repeating: "*", count: 300), "An ID is not valid. It is longer than 64 characters."),
            ("a b", "An ID is not valid. Use ASCII letters and digits and . _ ~ - @ = + $ ! ( ) only."),
        ]
    )
    func messages(text: String, message: String) throws {
        let error = try #require(throws: TokenError.self) { try ResourceID(text, alphabet: .ascii) }
        #expect(error == TokenError(.invalidID, message))
    }

    @Test("IDs are equal only if their bytes are")
    func equality() throws {
        let texts = [
            "a", "A", "a.", "a0", "0a", "caf\u{E9}", "cafe", "\u{430}", "\u{FF41}", String(repeating: "a", count: 64),
        ]
        let ids = try texts.map { try ResourceID($0, alphabet: .unicode) }
        #expect(Set(ids).count == texts.count)
        for (index, text) in texts.enumerated() {
            let same = try ResourceID(text, alphabet: .unicode)
            #expect(ids.firstIndex(of: same) == index)
            #expect(ids[index].hashValue == same.hashValue)
        }
    }
}
