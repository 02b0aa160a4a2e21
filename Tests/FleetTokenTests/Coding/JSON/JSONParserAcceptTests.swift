import FleetToken
import Testing

struct JSONParserAcceptTests {
    private func parse(_ text: String) throws -> JSONValue {
        try JSONParser.parse(text.utf8)
    }

    @Test(
        arguments: [
            ("null", JSONValue.null),
            ("true", .bool(true)),
            ("false", .bool(false)),
            ("\"\"", .string("")),
            ("[]", .array([])),
            ("{}", .object(JSONObject())),
            (" \t\r\n null \t\r\n ", .null),
            ("[ ]", .array([])),
            ("{ \n }", .object(JSONObject())),
            ("[1]", .array([.integer(1)])),
            ("[1,2,3]", .array([.integer(1), .integer(2), .integer(3)])),
            (" [ 1 , \"a\" , null ] ", .array([.integer(1), .string("a"), .null])),
            ("[[],[[]],{}]", .array([.array([]), .array([.array([])]), .object(JSONObject())])),
            ("0", .integer(0)),
            ("-0", .integer(0)),
            ("7", .integer(7)),
            ("-7", .integer(-7)),
            ("10", .integer(10)),
            ("1795211460", .integer(1_795_211_460)),
            ("9223372036854775807", .integer(.max)),
            ("-9223372036854775808", .integer(.min)),
            ("9223372036854775808", .decimal("9223372036854775808")),
            ("-9223372036854775809", .decimal("-9223372036854775809")),
            ("1.0", .decimal("1.0")),
            ("0.1", .decimal("0.1")),
            ("-0.0", .decimal("-0.0")),
            ("1e3", .decimal("1e3")),
            ("1E+3", .decimal("1E+3")),
            ("0e0", .decimal("0e0")),
            ("1.5e-07", .decimal("1.5e-07")),
            ("1e400", .decimal("1e400")),
            ("-1e-400", .decimal("-1e-400")),
        ]
    )
    func `Literals and containers are read, and numbers keep their digits`(text: String, value: JSONValue) throws {
        #expect(try parse(text) == value)
    }

    @Test(
        arguments: [
            (#""plain""#, "plain"),
            (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
            (#""\u0041\u00e9\u00E9""#, "Aéé"),
            (#""\u0000""#, "\u{0}"),
            (#""\u001f""#, "\u{1F}"),
            (#""\u002a""#, "*"),
            (#""\u2028\u202E\uFEFF""#, "\u{2028}\u{202E}\u{FEFF}"),
            (#""\ud83d\ude00""#, "😀"),
            (#""\uD800\uDC00""#, "\u{10000}"),
            (#""\uDBFF\uDFFF""#, "\u{10FFFF}"),
            (#""\uD7FF\uE000\uFFFD\uFFFE\uFFFF""#, "\u{D7FF}\u{E000}\u{FFFD}\u{FFFE}\u{FFFF}"),
            ("\"\u{FFFD}\"", "\u{FFFD}"),
            ("\"\u{7F}\u{85}\u{A0}\u{2028}\"", "\u{7F}\u{85}\u{A0}\u{2028}"),
            ("\"日本語 😀 \u{10FFFF}\"", "日本語 😀 \u{10FFFF}"),
            ("\"cafe\u{301}\"", "cafe\u{301}"),
            (#""// no comment /* nor this */""#, "// no comment /* nor this */"),
        ]
    )
    func `Escapes are resolved`(text: String, string: String) throws {
        let value = try #require(try parse(text).stringValue)
        #expect(Array(value.utf8) == Array(string.utf8))
    }

    @Test
    func `Members keep their order`() throws {
        let object = try #require(try parse(#"{"z":1, "a":{"b":[true]}, "":null}"#).objectValue)
        #expect(object.names == ["z", "a", ""])
        #expect(object["z"] == .integer(1))
        #expect(object["a"]?.objectValue?["b"]?.arrayValue == [.bool(true)])
        #expect(object[""] == .null)
        #expect(object["missing"] == nil)
    }
}
