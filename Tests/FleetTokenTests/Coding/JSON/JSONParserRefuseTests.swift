import FleetToken
import Testing

struct JSONParserRefuseTests {
    private func expect(_ code: JSONError.Code, at offset: Int? = nil, parsing bytes: some Sequence<UInt8>) throws {
        let error = try #require(throws: JSONError.self) { try JSONParser.parse(bytes) }
        #expect(error.code == code)
        if let offset { #expect(error.offset == offset) }
    }

    @Test(
        arguments: [
            ("", 0), (" ", 1), ("\u{0}", 0), ("nul", 3), ("nulL", 3), ("True", 0), ("TRUE", 0), ("undefined", 0),
            ("NaN", 0), ("Infinity", 0), ("-Infinity", 1), ("'a'", 0), ("a", 0), ("truee", 4), ("true false", 5),
            ("null\u{0}", 4), ("1 2", 2), ("{}{}", 2), ("[],", 2), ("# x\n1", 0), ("// x\n1", 0), ("/**/1", 0),
            ("1//", 1),
            ("\u{A0}1", 0), ("\u{C}1", 0), ("\u{B}1", 0), ("\u{85}1", 0), ("\u{2028}1", 0), ("1\u{2060}", 1),
            ("[", 1), ("]", 0), ("[1", 2), ("[1,", 3), ("[1,]", 3), ("[,1]", 1), ("[,]", 1), ("[1,,2]", 3),
            ("[1 2]", 3),
            ("[1;2]", 2), ("[1}", 2), ("[:]", 1), ("[1:2]", 2), ("[\"a\"", 4), ("[[]", 3), ("[]]", 2), ("[1,\n", 4),
            ("{", 1), ("}", 0), ("{]", 1), ("{,}", 1), ("{1:2}", 1), ("{a:1}", 1), ("{'a':1}", 1), ("{null:1}", 1),
            ("{\"a\"", 4), ("{\"a\"}", 4), ("{\"a\":", 5), ("{\"a\":}", 5), ("{\"a\" 1}", 5), ("{\"a\"=1}", 4),
            ("{\"a\",1}", 4), ("{\"a\":1", 6), ("{\"a\":1,", 7), ("{\"a\":1,}", 7), ("{\"a\":1 \"b\":2}", 7),
            ("{\"a\"::1}", 5), ("{\"a\":1,,\"b\":2}", 7), ("{:1}", 1), ("{\"a\":1]", 6), ("{\"a\":1}}", 7),
            ("{[]:1}", 1),
            ("{\"a\":1 /* x */}", 7), ("{{}}", 1),
            ("\"", 1), ("\"a", 2), ("\"\\\"", 3), ("\"\\", 2), ("\"\\\"a", 4), ("\"a\nb\"", 2), ("\"a\rb\"", 2),
            ("\"a\tb\"", 2), ("\"a\u{0}b\"", 2), ("\"\u{1F}\"", 1), ("\"\\a\"", 3), ("\"\\x41\"", 3), ("\"\\'\"", 3),
            ("\"\\0\"", 3), ("\"\\U0041\"", 3), ("\"\\\n\"", 3), ("\"\\é\"", 3), ("\"\\u\"", 3), ("\"\\u004\"", 6),
            ("\"\\u004g\"", 6), ("\"\\u 041\"", 3), ("\"\\u-041\"", 3), ("\"\\u+041\"", 3), ("\"\\u00", 5),
            ("\"\\u{41}\"", 3),
            ("\"\\u00４1\"", 5), ("\"a\"b\"", 3), ("\"\\ud83d\\u\"", 9), ("\"\\ud83d\\ude0", 12),
        ] as [(String, Int)]
    )
    func
        `Texts without a value or with several, damaged containers and damaged strings are refused where they are wrong`(
            text: String,
            offset: Int
        ) throws
    {
        try expect(.syntax, at: offset, parsing: text.utf8)
    }

    @Test(
        arguments: [
            "-", "+1", "01", "-01", "00", "1.", ".1", "-.1", "1.e1", "1e", "1e+", "1E-", "1e1.5", "1.2.3", "--1", "1-1",
            "0x10", "1_000", "1,000", "1 000", "0.0.0", "1a", "1e1e1", "2.e3", "0b1", "1f", "Inf", "１", "1\u{0}", "-a",
            "- 1",
        ]
    )
    func `Invalid numbers are refused`(text: String) throws {
        try expect(.syntax, parsing: text.utf8)
    }

    @Test
    func `Raw control characters are refused`() throws {
        for byte in UInt8(0)..<0x20 {
            try expect(.syntax, at: 2, parsing: Array("\"a".utf8) + [byte] + Array("\"".utf8))
        }
    }

    @Test
    func `A document that is cut off is refused`() throws {
        let document = Array(#"{"a":[1.5e3,true,null,"\u00e9\ud83d\ude00é😀"],"b":{"c":-10}}"#.utf8)
        _ = try JSONParser.parse(document)
        for count in 0..<document.count {
            #expect(throws: JSONError.self) { try JSONParser.parse(document.prefix(count)) }
        }
    }

    @Test(
        arguments: [
            #"{"alg":"RS256","alg":"none"}"#,
            #"{"alg":"RS256","alg":"RS256"}"#,
            #"{"aud":"a","b":1,"aud":"a"}"#,
            #"{"sub":1,"s\u0075b":2}"#,
            #"{"":1,"":2}"#,
            #"[{"a":{"b":1,"b":2}}]"#,
            #"{"\ud83d\ude00":1,"😀":2}"#,
        ]
    )
    func `Duplicate names are refused`(text: String) throws {
        try expect(.duplicateName, parsing: text.utf8)
    }

    @Test(
        arguments: [
            #"{"a":1,"A":2}"#,
            #"{"a":{"a":{"a":1}}}"#,
            #"[{"a":1},{"a":1}]"#,
            "{\"caf\u{E9}\":1,\"cafe\u{301}\":2}",
            "{\"K\":1,\"\u{212A}\":2}",
            #"{"a":1,"a\u0000":2}"#,
        ]
    )
    func `Names with different bytes are different`(text: String) throws {
        _ = try JSONParser.parse(text.utf8)
    }

    @Test
    func `Errors name the location and not the text`() throws {
        let error = try #require(throws: JSONError.self) { try JSONParser.parse(#"{"secret":hunter2}"#.utf8) }
        #expect(error.description == "it is not valid JSON (at byte 10)")
    }
}
