import FleetToken
import Testing

@testable import TokenService

struct JSONValuePrettyTests {
    private let json = #"{"a":1,"b":{},"c":[],"d":[true,{"e":null}],"f":"x, {y}: \"z\"","g":1.50}"#

    @Test
    func `Each member and element has a line`() throws {
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

    @Test
    func `Only white space is added`() throws {
        let value = try JSONParser.parse(json.utf8)
        #expect(try JSONParser.parse(value.pretty().utf8) == value)
    }
}
