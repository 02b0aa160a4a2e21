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

    @Test("Only white space is added")
    func roundTrip() throws {
        let value = try JSONParser.parse(json.utf8)
        #expect(try JSONParser.parse(value.pretty().utf8) == value)
    }
}
