import EngineCoding
import Testing

struct TimestampTests {
    @Test(
        arguments: [
            "1970-01-01T00:00:00Z": 0.0, "2026-11-20T21:53:25.081Z": 1_795_211_605.081,
            "2026-11-20T23:53:25+02:00": 1_795_211_605, "2024-02-29T12:00:00.5Z": 1_709_208_000.5,
            "1969-12-31T23:59:59.123456789Z": -0.876543211,
        ]
    )
    func `A valid timestamp is parsed`(text: String, seconds: Double) throws {
        let date = try #require(Timestamp(text))
        #expect(abs(date.secondsSince1970 - seconds) < 1e-6)
    }

    @Test(
        arguments: [
            "", "2026-11-20", "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-01-01T24:00:00Z",
            "2026-01-01T00:60:00Z", "2026-01-01T00:00:60Z", "2026-01-01T00:00:00", "2026-01-01T00:00:00.Z",
            "2026-01-01T00:00:00.1234567890Z", "2026-01-01T00:00:00Zx", "2026-01-01 00:00:00Z", "２026-01-01T00:00:00Z",
            "0000-01-01T00:00:00Z", "2026-01-01T00:00:00+24:00",
        ]
    )
    func `An invalid timestamp is refused`(text: String) {
        #expect(Timestamp(text) == nil)
    }

    @Test(
        arguments: [
            0, 0.081, 951_782_400, 951_868_799.999, 1_795_211_605.081, 4_107_542_399, 253_402_300_799,
        ]
    )
    func `What is written is read as the same time`(seconds: Double) throws {
        let text = Timestamp(secondsSince1970: seconds).text
        let date = try #require(Timestamp(text))
        #expect(abs(date.secondsSince1970 - seconds) < 0.0006)
    }

    @Test(arguments: ["53.076652s": 53.076652, "0s": 0, "-1.5s": -1.5, "3s": 3])
    func `A duration is parsed`(text: String, seconds: Double) {
        #expect(ProtoDuration.parse(text) == seconds)
    }

    @Test(arguments: ["", "s", "1", "1.s", ".5s", "1h", "1ss", "+1s"])
    func `An invalid duration is refused`(text: String) {
        #expect(ProtoDuration.parse(text) == nil)
    }

    @Test(
        arguments: [
            (0, "0s"), (1.5, "1.500s"), (803, "803s"), (-1, "-1s"), (Double.nan, "0s"), (.infinity, "315576000000s"),
            (-.infinity, "-315576000000s"),
        ]
    )
    func `A duration is written in seconds`(seconds: Double, text: String) {
        #expect(ProtoDuration.text(seconds) == text)
    }

    @Test(arguments: [
        (-1e12, "0001-01-01T00:00:00Z"), (Double.nan, "1970-01-01T00:00:00Z"), (.infinity, "9999-12-31T23:59:59Z"),
    ])
    func `A time beyond the bounds is the bound`(seconds: Double, text: String) {
        #expect(Timestamp(secondsSince1970: seconds).text == text)
    }
}
