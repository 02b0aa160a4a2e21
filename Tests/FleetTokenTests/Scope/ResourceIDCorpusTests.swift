import FleetToken
import StrictCoding
import Testing

/// IDs that callers send to get more than they may, each as the inside of a JSON string.
@Suite("IDs that callers send to get more than they may, as the inside of a JSON string")
struct ResourceIDCorpusTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let json: String
        /// The alphabets that take it.
        let alphabets: Set<ResourceID.Alphabet>

        var testDescription: String { json.utf8.count > 40 ? "\(json.prefix(20))…" : json }
    }

    private static func refused(_ rows: [String]) -> [Row] { rows.map { Row(json: $0, alphabets: []) } }
    private static func unicode(_ rows: [String]) -> [Row] { rows.map { Row(json: $0, alphabets: [.unicode]) } }
    private static func accepted(_ rows: [String]) -> [Row] {
        rows.map { Row(json: $0, alphabets: [.ascii, .unicode]) }
    }

    static let wildcards = refused([
        "*", " *", "* ", "**", "a*", #"\u002a"#, "＊", #"\uFF0A"#, #"*\uFE0F"#, #"\u2217"#, #"\u204e"#, #"\ufe61"#,
        "%2A", "%252A", "%", "a%b",
    ])
    static let paths = refused([
        "a/b", #"a\/b"#, #"a\u002fb"#, #"a\u2215b"#, #"a\u2044b"#, "../x", "/", "//evil.example", "../server",
        "a%2fb", ".", "..", #"a\\b"#, "a:b", "a?b", "a,b", "a#b", "a;b", "a&b", "a|b",
    ])
    static let syntax = refused([
        #"\""#, "'", "`", "<script>", "{{claims.sub}}", "}}", #"\",\"vehicleid\":\"*"#, "${x}", "a b", " a", "a ", "",
        " ", "^", "[a]",
    ])
    static let lines = refused([
        #"a\nb"#, #"a\rb"#, #"a\r\nb"#, #"\r\n"#, #"a\tb"#, #"a\u0000b"#, #"a\u0000"#, #"a\u001bb"#, #"a\u007fb"#,
        #"a\u0085b"#, #"a\u2028b"#, #"a\u2029b"#, #"a\u00a0b"#, #"a\u3000b"#, #"a\u1680b"#,
    ])
    static let invisible = refused([
        #"a\u202eb"#, #"a\u2066b"#, #"a\u200bb"#, #"a\u200db"#, #"a\u00adb"#, #"\ufeffa"#, #"a\ufeff"#, #"a\u115f"#,
        #"a\u3164"#, #"a\uffa0"#, #"a\u034f"#, #"a\ufe0f"#, #"a\udb40\udc41"#, #"a\udb40\udd00"#,
    ])
    static let unassigned = refused([
        #"a\ue000"#, #"a\udb80\udc00"#, #"a\u0378"#, #"a\uffff"#, #"a\ufdd0"#, #"a\udbff\udfff"#, #"a\ufffd"#,
    ])
    static let surrogates = refused([#"\ud800"#, #"a\udfff"#, #"\ude00\ud83d"#, #"\ud83d"#])
    static let notNFC = refused([
        #"cafe\u0301"#, #"a\u0301"#, #"\u0301"#, #"\u212b"#, #"\u212a"#, #"\u1100\u1161"#, #"\uac00\u11a8"#,
        #"\u0958"#, #"\uf900"#, #"\u2126"#, #"\ud81b\udd67\ud81b\udd67"#,
    ])
    static let otherScripts = unicode([
        #"caf\u00e9"#, "аbc", "Ångström", "漢字", "かな", "עברית", "مرحبا", "한국어", #"\u1100"#, "Ω", "ß", "٣", "ａ", "𝒳",
        "ǅ",
    ])
    static let symbols = refused(["😀", "€", "½", "Ⅷ", "²", "№", "a‿b", "–", "…", "§"])
    static let plain = accepted([
        "trip-1", "a", "A", "0", "-", "_", "~", "...", ".a", "a.", "null", "true", "$(id)", "a@b", "a=b", "a+b", "!",
        "(", ")", "0f8fad5b-d9cb-469f-a165-70867728950e", #"\u0061"#, "CON", "__proto__", "constructor", "-rf",
        "--help",
    ])
    static let lengths = [
        Row(json: String(repeating: "a", count: 64), alphabets: [.ascii, .unicode]),
        Row(json: String(repeating: "é", count: 64), alphabets: [.unicode]),
        Row(json: String(repeating: "𝒳", count: 64), alphabets: [.unicode]),
        Row(json: String(repeating: "a", count: 65), alphabets: []),
        Row(json: String(repeating: "é", count: 65), alphabets: []),
        Row(json: "a" + String(repeating: #"\u0301"#, count: 5000), alphabets: []),
        Row(json: String(repeating: "a", count: 100_000), alphabets: []),
    ]

    @Test(
        "An ID is accepted unchanged, or refused",
        arguments: [
            wildcards, paths, syntax, lines, invisible, unassigned, surrogates, notNFC, otherScripts, symbols, plain,
            lengths,
        ].flatMap { $0 },
        [ResourceID.Alphabet.ascii, .unicode]
    )
    func corpus(row: Row, alphabet: ResourceID.Alphabet) throws {
        guard row.alphabets.contains(alphabet) else {
            #expect(throws: (any Error).self) { try self.id(row, alphabet) }
            return
        }
        let id = try self.id(row, alphabet)
        let sent = try #require(try JSONParser.parse("\"\(row.json)\"".utf8).stringValue)
        #expect(Array(id.rawValue.utf8) == Array(sent.utf8))
        #expect(id.description == id.rawValue)
    }

    /// All but halves of surrogate pairs, which are no JSON, are refused by the ID's own rules.
    @Test(
        "The refusal names the rule and not the ID",
        arguments: [wildcards, paths, syntax, lines, invisible, unassigned, notNFC, symbols].flatMap { $0 },
        [ResourceID.Alphabet.ascii, .unicode]
    )
    func refusals(row: Row, alphabet: ResourceID.Alphabet) throws {
        let marked = Row(json: "MARK" + row.json, alphabets: [])
        guard row.json != "", row.json != ".", row.json != ".." else { return }
        let error = try #require(throws: TokenError.self) { try self.id(marked, alphabet) }
        #expect(error.reason == .invalidID)
        #expect(error.message.hasPrefix("An ID is not valid. Use "))
        #expect(!error.message.contains("MARK"))
    }

    private func id(_ row: Row, _ alphabet: ResourceID.Alphabet) throws -> ResourceID {
        let value = try JSONParser.parse("\"\(row.json)\"".utf8)
        return try ResourceID(try #require(value.stringValue), alphabet: alphabet)
    }
}
