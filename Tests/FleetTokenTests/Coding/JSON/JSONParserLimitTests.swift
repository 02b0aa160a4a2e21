import FleetToken
import Testing

/// Hostile sizes: how far the parser read before it gave up is the measure, and not the time.
@Suite(.timeLimit(.minutes(1)))
struct JSONParserLimitTests {
    private func failure(_ text: String) throws -> JSONError {
        try #require(throws: JSONError.self) { try JSONParser.parse(text.utf8) }
    }

    @Test(
        arguments: [
            ("[", "", "]"), ("[", "1", "]"), ("[", "null", "]"), ("[", "\"a\"", "]"), ("[", "1,2", "]"),
            ("{\"a\":", "1", "}"),
        ]
    )
    func `Containers are nested up to the limit`(open: String, inner: String, close: String) throws {
        func nested(_ depth: Int) -> String {
            String(repeating: open, count: depth) + inner + String(repeating: close, count: depth)
        }
        _ = try JSONParser.parse(nested(16).utf8)
        let error = try failure(nested(17))
        #expect(error.code == .tooDeep)
        #expect(error.offset == 16 * open.utf8.count)
    }

    @Test(arguments: ["[", "{\"a\":", "[{\"a\":"])
    func `A deep text is refused at the limit`(open: String) throws {
        let error = try failure(String(repeating: open, count: 200_000))
        #expect(error.code == .tooDeep)
        #expect(error.offset <= 16 * open.utf8.count)
    }

    @Test
    func `Numbers are accepted up to the limit`() throws {
        let limit = 64
        for text in [String(repeating: "9", count: limit), "0." + String(repeating: "1", count: limit - 2)] {
            #expect(try JSONParser.parse(text.utf8) == .decimal(text))
            #expect(try failure(text + "1").code == .tooLarge)
        }
    }

    /// Each value counts, at whatever level: the text itself, members and elements.
    @Test(
        arguments: [
            ("1", 1), ("{}", 1), (#"{"a":1}"#, 2), (#"{"a":[1,2,{"b":null}]}"#, 6), ("[[],[],[]]", 4),
            ("[" + String(repeating: "1,", count: 998) + "1]", 1000),
        ]
    )
    func `Values are counted up to the limit`(text: String, count: Int) throws {
        _ = try JSONParser.parse(text.utf8, maximumValues: count)
        let error = #expect(throws: JSONError.self) { try JSONParser.parse(text.utf8, maximumValues: count - 1) }
        #expect(error?.code == .tooMany)
    }

    @Test
    func `Too many values are refused at the limit`() throws {
        let text = "{" + (0..<100_000).map { "\"member \($0)\":1" }.joined(separator: ",") + "}"
        let error = #expect(throws: JSONError.self) { try JSONParser.parseObject(text.utf8, maximumValues: 100) }
        #expect(error?.code == .tooMany)
        #expect((error?.offset ?? .max) < 2000)
    }

    /// Few names are compared one by one, and many are not; both find each that is there twice.
    @Test(arguments: [2, 15, 16, 17, 18, 100])
    func `A duplicate name is found in objects of any size`(count: Int) throws {
        let names = (0..<count).map { "\"n\($0)\":1" }
        #expect(try JSONParser.parseObject("{\(names.joined(separator: ","))}".utf8).members.count == count)
        for twice in [0, count / 2, count - 1] {
            let text = "{\((names + [names[twice]]).joined(separator: ","))}"
            #expect(try failure(text).code == .duplicateName)
        }
        var object = try JSONParser.parseObject("{\(names.joined(separator: ","))}".utf8)
        let added = ["n0", "n\(count)", "n\(count)"].map { object.append(.init($0, .null)) }
        #expect(added == [false, true, false])
        #expect(object.members.count == count + 1)
    }

    @Test(arguments: ["", "-", "0.", "1e", "1E-", "-0.5e+"])
    func `A long number is refused at the limit`(start: String) throws {
        let error = try failure(start + String(repeating: "1", count: 1_000_000))
        #expect(error.code == .tooLarge)
        #expect(error.offset <= 65)
    }

    /// A text that is made by its test, and stands for it by its name.
    struct LargeText: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let text: @Sendable () -> String

        init(_ name: String, _ text: @autoclosure @escaping @Sendable () -> String) {
            (testDescription, self.text) = (name, text)
        }
    }

    @Test(
        arguments: [
            LargeText("string", "\"" + String(repeating: "a", count: 1_000_000) + "\""),
            LargeText("escapes", "\"" + String(repeating: "\\u00e9", count: 200_000) + "\""),
            LargeText("array of numbers", "[" + String(repeating: "1,", count: 300_000) + "1]"),
            LargeText("array of objects", "[" + String(repeating: "{\"a\":1},", count: 100_000) + "1]"),
            // To compare each name with all the others would take hours.
            LargeText(
                "names that differ at their ends",
                "{" + (100_000..<200_000).map { "\"a rather long name \($0)\":1" }.joined(separator: ",") + "}"
            ),
            LargeText("space", String(repeating: " ", count: 1_000_000) + "1"),
        ]
    )
    func `Large texts are read`(text: LargeText) throws {
        _ = try JSONParser.parse(text.text().utf8)
    }

    @Test(
        arguments: [
            LargeText("dots", String(repeating: ".", count: 1_000_000)),
            LargeText("quotes", String(repeating: "\"", count: 1_000_001)),
            LargeText("space", String(repeating: " ", count: 1_000_000)),
            LargeText("array without an end", "[" + String(repeating: "1,", count: 500_000)),
            LargeText("backslashes", "\"" + String(repeating: "\\", count: 1_000_001)),
        ]
    )
    func `Large invalid texts are refused`(text: LargeText) throws {
        #expect(try failure(text.text()).code == .syntax)
    }
}
