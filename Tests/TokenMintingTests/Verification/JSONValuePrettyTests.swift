import StrictCoding
import Testing
import TokenMinting

struct JSONValuePrettyTests {
    private let json = #"{"a":1,"b":{},"c":[],"d":[true,{"e":null}],"f":"x, {y}: \"z\"","g":1.50}"#

    @Test func putsAMemberALine() throws {
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

    @Test func standsInsideOtherText() throws {
        #expect(try JSONParser.parse(#"{"a":[1]}"#.utf8).pretty(level: 1) == "{\n    \"a\": [\n      1\n    ]\n  }")
    }

    @Test func changesNothingButWhiteSpace() throws {
        let value = try JSONParser.parse(json.utf8)
        #expect(try JSONParser.parse(value.pretty().utf8) == value)
    }

    @Test func escapesWhatActsOnATerminal() {
        let value = JSONValue.object(hostile("\u{1b}[2J\u{202e}"))
        #expect(value.pretty() == "{\n  \"\\u001b[2J\\u202e\": \"\\u001b[2J\\u202e\"\n}")
    }

    private func hostile(_ text: String) -> JSONObject {
        var object = JSONObject()
        _ = object.append(.init(text, .string(text)))
        return object
    }
}
