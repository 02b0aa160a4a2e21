import FleetToken
import Testing

/// IDs that callers send to get more than they may, and what Fleet Engine accepts; each as the inside of a JSON string.
struct ResourceIDCorpusTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let json: String

        init(_ json: String) { self.json = json }

        var testDescription: String { json.utf8.count > 40 ? "\(json.prefix(20))…" : json }

        func id() throws -> ResourceID {
            try ResourceID(try #require(try JSONParser.parse("\"\(json)\"".utf8).stringValue))
        }
    }

    static let wildcards = [
        "*", "**", "a*", #"\u002a"#, "＊", #"\uFF0A"#, #"*\uFE0F"#, #"\u2217"#, #"\u204e"#, #"\ufe61"#, "%2A", "%2a",
        "%252A",
        "a%2fb", "100%25", #"\",\"vehicleid\":\"*"#,
    ]
    static let paths = [
        "a/b", #"a\/b"#, #"a\u002fb"#, #"a\u2215b"#, #"a\u2044b"#, #"a\uff0fb"#, "../x", "/", "//evil.example",
        "../server",
        #"a\\b"#, #"..\\x"#, "a:b", "a?b", "a,b", "a#b",
    ]
    static let lines = [
        #"a\nb"#, #"a\rb"#, #"a\r\nb"#, #"\r\nb"#, #"a\tb"#, #"a\u0000b"#, #"a\u001bb"#, #"a\u007fb"#, #"a\u0085b"#,
        #"a\u2028b"#, #"a\u2029b"#,
    ]
    static let invisible = [
        #"a\u202eb"#, #"a\u2066b"#, #"a\u200bb"#, #"a\u200db"#, #"a\u00adb"#, #"\ufeffa"#, #"a\ufeff"#, #"a\u115f"#,
        #"a\u3164"#, #"a\uffa0"#, #"a\u034f"#, #"a\ufe0f"#, #"a\udb40\udc41"#, #"a\udb40\udd00"#, "👩\u{200D}🚀",
        "❤\u{FE0F}",
    ]
    static let unassigned = [
        #"a\ue000"#, #"a\udb80\udc00"#, #"a\u0378"#, #"a\uffff"#, #"a\ufdd0"#, #"a\udbff\udfff"#, #"a\ufffd"#,
    ]
    static let notNFC = [
        #"cafe\u0301"#, #"\u212b"#, #"\u212a"#, #"\u1100\u1161"#, #"\uac00\u11a8"#, #"\u0958"#, #"\uf900"#, #"\u2126"#,
        #"\ud81b\udd67\ud81b\udd67"#, #"a\u0327\u0302\u0323"#,
    ]
    static let ends = ["", " ", " a", "a ", " *", "* ", #"a\u00a0"#, #"\u3000a"#, #"\r\n"#, #"a\n"#, #"a\u0085"#]
    static let dots = [".", ".."]
    static let surrogates = [#"\ud800"#, #"a\udfff"#, #"\ude00\ud83d"#, #"\ud83d"#]
    static let tooLong =
        ["a", "é", "𝒳"].map { String(repeating: $0, count: 65) } + [
            "a" + String(repeating: #"\u0301"#, count: 5000), String(repeating: "a", count: 100_000),
        ]

    static let plain = [
        "trip-1", "a", "A", "0", "-", "_", "~", "...", ".a", "a.", "null", "true", "$(id)", "a@b", "a=b", "a+b", "!",
    ]
    static let punctuation = [
        "KA 01 AB 1234", "a&b", "a;b", "a|b", "O'Brien", #"\""#, "`", "<script>", "{{claims.sub}}", "}}", "${x}", "^",
        "[a]",
        "%", "a%b", "100%", "%G0", #"a\u00a0b"#, #"a\u3000b"#, #"a\u1680b"#,
    ]
    static let scripts = [
        #"caf\u00e9"#, "аbc", "Ångström", "漢字", "かな", "עברית", "مرحبا", "한국어", #"\u1100"#, "Ω", "ß", "٣", "ａ", "𝒳", "ǅ",
    ]
    /// Vowels of Hindi, Thai and Tamil, points of Hebrew and Arabic, and marks that compose with nothing.
    static let marks = [
        "दिल्ली", "नई दिल्ली", "กรุงเทพ", "น้ำ", "தமிழ்", "שָׁלוֹם", "مَرْحَبًا", #"\u0301"#, #"x\u0301"#, #"q\u0323\u0307"#,
    ]
    static let symbols = ["😀", "🚕🚕", "👍🏽", "🇮🇳", "€", "½", "Ⅷ", "²", "№", "a‿b", "–", "…", "§"]
    static let longest = ["a", "é", "𝒳"].map { String(repeating: $0, count: 64) }

    @Test(
        arguments: [
            wildcards, paths, lines, invisible, unassigned, notNFC, ends, dots, surrogates, tooLong,
        ].flatMap { $0 }.map(Row.init)
    )
    func `A dangerous ID is refused`(row: Row) {
        #expect(throws: (any Error).self) { try row.id() }
    }

    @Test(arguments: [plain, punctuation, scripts, marks, symbols, longest].flatMap { $0 }.map(Row.init))
    func `A valid ID is kept byte for byte`(row: Row) throws {
        let id = try row.id()
        let sent = try #require(try JSONParser.parse("\"\(row.json)\"".utf8).stringValue)
        #expect(Array(id.rawValue.utf8) == Array(sent.utf8))
        #expect(id.description == id.rawValue)
    }

    /// All but halves of surrogate pairs, which are no JSON, are refused by the ID's own rules.
    @Test(arguments: [wildcards, paths, lines, invisible, unassigned, notNFC].flatMap { $0 }.map { Row("MARK" + $0) })
    func `A refusal names the rule and not the ID`(row: Row) throws {
        let error = try #require(throws: TokenError.self) { try row.id() }
        #expect(error.reason == .invalidID)
        #expect(error.message.hasPrefix("An ID is not valid. Use "))
        #expect(!error.message.contains("MARK"))
    }
}
