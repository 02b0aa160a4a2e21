import StrictCoding
import Testing

@testable import ServiceTools

@Suite("JSON for people")
struct JSONValuePrettyTests {
    private let json = #"{"a":1,"b":{},"c":[],"d":[true,{"e":null}],"f":"x, {y}: \"z\"","g":1.50}"#

    @Test("Each member and element has a line")
    func lines() throws {
        #expect(
            try JSONParser.parse(json.utf8).pretty() == """
                {
                  "a": 1,
                  "b": {},
                  "c": [],
                  "d": [
                    true,
                    {
                      "e": null
                    }
                  ],
                  "f": "x, {y}: \\"z\\"",
                  "g": 1.50
                }
                """
        )
    }

    @Test("JSON in other text is indented by its level")
    func nested() throws {
        #expect(try JSONParser.parse(#"{"a":[1]}"#.utf8).pretty(level: 1) == "{\n    \"a\": [\n      1\n    ]\n  }")
    }

    @Test("Only white space is added")
    func roundTrip() throws {
        let value = try JSONParser.parse(json.utf8)
        #expect(try JSONParser.parse(value.pretty().utf8) == value)
    }

    @Test("Characters that act on a terminal are escaped")
    func escapes() {
        let value = JSONValue(members: [("\u{1b}[2J\u{202e}", .string("\u{1b}[2J\u{202e}"))])
        #expect(value.pretty() == "{\n  \"\\u001b[2J\\u202e\": \"\\u001b[2J\\u202e\"\n}")
    }
}
