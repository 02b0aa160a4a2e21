import FleetToken
import Testing

struct JSONParserUnicodeTests {
    @Test(
        arguments: [
            #""\ud800""#, #""\udbff""#, #""\udc00""#, #""\uDFFF""#, #""\ud800x""#, #""\ud800\n""#, #""\ud800\\""#,
            #""\ud800\u0041""#, #""\ud800\ud800""#, #""\ud800\ue000""#, #""\udc00\ud800""#, #""\udc00\udc00""#,
            #""\ude00\ud83d""#,
            #""a\ud83d b\ude00""#, #"{"\ud800":1}"#, #"["\ud800"]"#, #""\ud83d\ude00\ud83d""#,
        ]
    )
    func `Halves of a surrogate pair are refused`(text: String) throws {
        let error = try #require(throws: JSONError.self) { try JSONParser.parse(text.utf8) }
        #expect(error.code == .notUnicode)
    }

    /// Sequences that are not UTF-8: stray, cut off, overlong, surrogates, and beyond U+10FFFF.
    static let notUTF8: [[UInt8]] = [
        [0x80], [0xBF], [0xFE], [0xFF], [0xC0, 0x80], [0xC0, 0xAF], [0xC1, 0xBF], [0xC3], [0xE2, 0x82],
        [0xE2, 0x28, 0xA1],
        [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
        [0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80],
        [0xF0, 0x9F, 0x98], [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80],
        [0xF8, 0x88, 0x80, 0x80, 0x80], [0xC3, 0xC3, 0xA9],
    ]

    @Test(arguments: notUTF8)
    func `Bytes that are not UTF-8 are refused, in strings and anywhere else`(bytes: [UInt8]) throws {
        for (before, after) in [("", ""), ("a", "b"), ("é", "é"), ("\\n", "\\n"), ("\u{FFFD}", "\u{FFFD}")] {
            let text = [0x22] + Array(before.utf8) + bytes + Array(after.utf8) + [0x22]
            let error = try #require(throws: JSONError.self) { try JSONParser.parse(text) }
            #expect(error.code == .notUnicode)
        }
        let document = Array(#"{"a":["é",12,true],"\u00e9":{"b":null}}"#.utf8)
        for index in 0...document.count {
            let damaged = document[..<index] + bytes + document[index...]
            #expect(throws: JSONError.self) { try JSONParser.parse(damaged) }
        }
    }

    @Test
    func `A raw lead byte does not join an escaped scalar`() {
        // C3 and then U+00A9 would be é if the escape wrote a bare A9.
        #expect(throws: JSONError.self) { try JSONParser.parse([0x22, 0xC3] + Array(#"\u00a9""#.utf8)) }
    }

    @Test(
        arguments: [
            [0xEF, 0xBB, 0xBF, 0x31], [0xFE, 0xFF, 0x00, 0x31], [0xFF, 0xFE, 0x31, 0x00], [0x00, 0x31], [0x31, 0x00],
            [0x00, 0x00, 0x00, 0x31], [0x31, 0x00, 0x00, 0x00], [0x31, 0xEF, 0xBB, 0xBF],
            [0x2B, 0x2F, 0x76, 0x38, 0x31],
        ] as [[UInt8]]
    )
    func `Byte order marks and other encodings are refused`(bytes: [UInt8]) throws {
        let error = try #require(throws: JSONError.self) { try JSONParser.parse(bytes) }
        #expect(error.code == .syntax)
    }

    @Test
    func `Each scalar is read, raw and escaped`() throws {
        for value in UInt32(0x20)...0x10FFFF
        where value % 251 == 0 || value < 0x3000 || (0xD000...0x10100).contains(value) {
            guard let scalar = Unicode.Scalar(value), scalar != "\"", scalar != "\\" else { continue }
            let text = String(scalar)
            let escaped = text.utf16.map { "\\u" + String(0x10000 + Int($0), radix: 16).dropFirst() }.joined()
            let value = try JSONParser.parse("[\"\(text)\",\"\(escaped)\"]".utf8)
            #expect(value == .array([.string(text), .string(text)]))
        }
    }
}
