import FleetToken
import Testing

struct JSONWriterTests {
    private func text(_ body: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        body(&writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test
    func `Members are written in order, without spaces`() {
        let text = text { writer in
            writer.object { writer in
                writer.name("b")
                writer.integer(-1)
                writer.name("a")
                writer.array { writer in
                    writer.bool(true)
                    writer.bool(false)
                    writer.array { _ in }
                    writer.object { _ in }
                    writer.value(.null)
                    writer.string("x")
                }
                writer.name("c")
                writer.object { writer in
                    writer.name("d")
                    writer.value(.decimal("1.50"))
                }
            }
        }
        #expect(text == #"{"b":-1,"a":[true,false,[],{},null,"x"],"c":{"d":1.50}}"#)
    }

    @Test(
        arguments: [
            ("", #""""#),
            ("a/b", #""a/b""#),
            ("\"\\", #""\"\\""#),
            ("\r\n\t\u{0}\u{1B}", #""\u000d\u000a\u0009\u0000\u001b""#),
            ("\u{7F}", #""\u007f""#),
            ("\u{80}\u{85}", #""\u0080\u0085""#),
            ("a\u{202E}b\u{200B}\u{FEFF}", #""a\u202eb\u200b\ufeff""#),
            ("\u{2028}\u{2029}", #""\u2028\u2029""#),
            ("\u{E000}\u{F0000}", #""\ue000\udb80\udc00""#),
            ("\u{E0041}", #""\udb40\udc41""#),
            ("\u{378}\u{FFFF}", #""\u0378\uffff""#),
            ("\u{115F}\u{3164}\u{34F}\u{FE0F}", #""\u115f\u3164\u034f\ufe0f""#),
            ("é 漢 😀 e\u{301}", "\"é 漢 😀 e\u{301}\""),
        ]
    )
    func `What cannot be displayed is escaped`(string: String, expected: String) {
        #expect(Array(text { $0.string(string) }.utf8) == Array(expected.utf8))
        #expect(text { $0.name(text: string) } == expected + ":")
        #expect(Array(text { $0.string(utf8: Array(string.utf8)) }.utf8) == Array(expected.utf8))
    }

    /// Strings are examined eight bytes at a time, whose neighbours must not matter; the last eight overlap others.
    @Test(arguments: [1, 7, 8, 9, 16, 17])
    func `Each byte is escaped at each position`(length: Int) throws {
        for neighbour in ["a", " ", "~", "!", "#", "[", "]"] {
            for byte in 0..<UInt8(0x80) {
                for place in 0..<length {
                    var bytes = [UInt8](repeating: try #require(neighbour.utf8.first), count: length)
                    bytes[place] = byte
                    let string = String(decoding: bytes, as: UTF8.self)
                    let text = text { $0.string(string) }
                    let isPlain = (0x20..<0x7F).contains(byte) && byte != 0x22 && byte != 0x5C
                    #expect((text == "\"\(string)\"") == isPlain)
                    #expect(try JSONParser.parse(text.utf8) == .string(string))
                }
            }
        }
    }

    @Test
    func `Invalid UTF-8 becomes U+FFFD`() throws {
        let text = text { $0.string(utf8: [0x61, 0xFF, 0x22, 0x62]) }
        #expect(try JSONParser.parse(text.utf8) == .string("a\u{FFFD}\"b"))
    }

    /// Every scalar of the planes that Unicode uses: the output reads back as it was, and shows no scalar that a terminal
    /// obeys or hides.
    @Test
    func `Invisible scalars are escaped`() throws {
        for plane in [0, 0x1_0000, 0x2_0000, 0x3_0000, 0xE_0000] as [UInt32] {
            for start in stride(from: plane, to: plane + 0x1_0000, by: 0x400) {
                let scalars = (start..<start + 0x400).compactMap { Unicode.Scalar($0) }
                let string = String(String.UnicodeScalarView(scalars))
                let text = text { $0.string(string) }
                #expect(try JSONParser.parse(text.utf8) == .string(string))
                #expect(!text.unicodeScalars.contains { Self.isInvisible($0) })
            }
        }
    }

    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: true
        default: scalar.properties.isBidiControl || scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    @Test(arguments: [Int64.min, -1, 0, 1, 1_795_211_460_000, Int64.max])
    func `Integers are written exactly`(value: Int64) throws {
        let text = text { $0.integer(value) }
        #expect(try JSONParser.parse(text.utf8) == .integer(value))
    }

    @Test(
        arguments: ["0", "-0.0", "1.50", "1e400", "123456789012345678901234567890"]
    )
    func `Numbers are written as they were read`(text: String) throws {
        let value = try JSONParser.parse(text.utf8)
        #expect(self.text { $0.value(value) } == text)
    }
}
