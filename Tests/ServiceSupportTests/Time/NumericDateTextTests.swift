import FleetToken
import Testing

@testable import ServiceSupport

struct NumericDateTextTests {
    private static let now = NumericDate(seconds: 1_795_214_890)

    private static let readable: [(String, Int64)] = [
        ("0", 0),
        ("1795214890", 1_795_214_890),
        ("253402300799", 253_402_300_799),
        ("2026-11-20T22:48:10Z", 1_795_214_890),
        ("2024-02-29T00:00:00Z", 1_709_164_800),
        ("9999-12-31T23:59:59Z", 253_402_300_799),
    ]

    @Test(arguments: readable)
    func `Seconds and a time in UTC are read`(text: String, seconds: Int64) {
        #expect(NumericDate(text: text)?.seconds == seconds)
    }

    @Test(
        arguments: [
            "", " ", "now", "-1", "+1", "1.5", "1e3", "0x10", "253402300800", "99999999999999999999", "١٢٣",
            "2026-11-20", "2026-11-20T22:48:10", "2026-11-20 22:48:10Z", "2026-11-20T22:48Z", "2026-11-20T22:48:10ZZ",
            "2026-11-20T22:48:10Z ", " 2026-11-20T22:48:10Z", "2026-02-30T00:00:00Z", "2025-02-29T00:00:00Z",
            "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-11-31T00:00:00Z", "2026-11-20T24:00:00Z",
            "2026-11-20t22:48:10z", "2026-11-20T22:48:10.999Z", "2026-11-20T23:48:10+01:00",
            "2026-11-20T22:60:00Z", "2026-12-31T23:59:60Z", "2026-11-20T22:48:10.Z", "2026-11-20T22:48:10+0100",
            "2026-11-20T22:48:10+24:00", "2026-11-20T22:48:10+01:60", "2026-11-20T22:48:10+1:00",
            "2026-11-20T22:48:10+",
            "2026-11-20T22:48:10+01:00:00", "2026-1-2T3:4:5Z", "20261120T224810Z", "２０２６-11-20T22:48:10Z",
            "2026-11-20T22:48:10*01:00", "10000-01-01T00:00:00Z",
        ]
    )
    func `Anything else is no time`(text: String) {
        #expect(NumericDate(text: text) == nil)
    }

    @Test
    func `Times are written in UTC`() {
        #expect(Self.now.rfc3339 == "2026-11-20T22:48:10Z")
        #expect(Self.now.utc == "2026-11-20 22:48:10 UTC")
        #expect(NumericDate(seconds: 253_402_300_799).utc == "9999-12-31 23:59:59 UTC")
        #expect(NumericDate(seconds: 0).utc == "1970-01-01 00:00:00 UTC")
    }

    private static let distances: [(Int64, String)] = [
        (0, "now"),
        (1, "in 1 second"),
        (2, "in 2 seconds"),
        (119, "in 119 seconds"),
        (120, "in 2 minutes"),
        (12 * 60 + 59, "in 12 minutes"),
        (2 * 3600 - 1, "in 119 minutes"),
        (2 * 3600, "in 2 hours"),
        (2 * 86_400, "in 2 days"),
        (-1, "1 second ago"),
        (-3 * 86_400 - 5, "3 days ago"),
        (252_000_000_000, "in 2916666 days"),
    ]

    @Test(arguments: distances)
    func `A distance is in the largest unit of which there are two`(seconds: Int64, words: String) {
        #expect((Self.now + seconds).distance(from: Self.now) == words)
    }
}
