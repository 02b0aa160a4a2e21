import FleetToken
import Testing

@testable import TokenProvider

/// B45: `Retry-After` capped to two seconds, its date form ignored, white space read as zero, garbage a crash.
struct RetryAfterTests {
    private let now = NumericDate(seconds: 784_111_777)  // 1994-11-06T08:49:37Z

    @Test(
        "B45: Each form of Retry-After is read, and nothing else",
        arguments: [
            ("60", 60), (" 60 ", 60), ("\t60", 60), ("0", 0), ("3600", 3600),
            ("3601", 3600), ("86400", 3600), ("99999999999999999999999", 3600),
            ("", nil), ("  ", nil), ("-1", nil), ("+5", nil), ("1e9", nil), ("0x1A", nil), ("6 0", nil),
            ("1.5", 1.5), ("0.25", 0.25), ("1e309", nil), ("3600.5", 3600), ("1.", nil), (".5", nil), ("1.2.3", nil),
            (String(repeating: "9", count: 400), 3600),
            ("60, 120", nil), ("soon", nil), ("\u{0661}", nil), ("６０", nil), ("NaN", nil), ("60s", nil),
            ("Sun, 06 Nov 1994 08:50:37 GMT", 60),
            ("Sunday, 06-Nov-94 08:50:37 GMT", 60),
            ("Sun Nov  6 08:50:37 1994", 60),
            ("Sun, 06 Nov 1994 08:49:37 GMT", 0),
            ("Sun, 06 Nov 1994 07:49:37 GMT", 0),
            ("Mon, 07 Nov 1994 08:49:37 GMT", 3600),
            ("Sun, 06 Nov 1994 25:00:00 GMT", nil),
            ("Sun, 06 Nov 1994 08:50:37", nil),
        ] as [(String, Double?)]
    )
    func readsEachForm(field: String, expected: Double?) {
        #expect(RetryAfter.seconds(field, date: now) == expected)
    }

    @Test("B45: A server may have a bound of its own")
    func bounded() {
        #expect(RetryAfter.seconds("600", date: nil, maximum: 300) == 300)
        #expect(RetryAfter.seconds("Sun, 06 Nov 1994 08:59:37 GMT", date: now, maximum: 300) == 300)
    }

    @Test("B45: A date is none where the server's clock isn't known")
    func dateWithoutAClock() {
        #expect(RetryAfter.seconds("Sun, 06 Nov 1994 08:50:37 GMT", date: nil) == nil)
    }

    @Test("B45: No field is no wait")
    func absent() {
        #expect(RetryAfter.seconds(nil, date: now) == nil)
    }

    @Test("B45: A date is measured against the server's clock when the device's is wrong")
    func measuredAgainstTheServersClock() throws {
        let scope = try TokenScope.trip("trip-1")
        let answer = HTTPAnswer(
            status: 503,
            date: HTTPDateText.imf(now),
            retryAfter: HTTPDateText.imf(now + 120)
        )
        for device in [now.seconds - 200_000, now.seconds + 200_000] {
            let reader = TokenAnswerReader(format: .fleetToken, scope: scope, now: Double(device))
            let error = #expect(throws: TokenProviderError.self) { try reader.read(answer) }
            #expect(error?.retryAfter == 120)
        }
    }
}
