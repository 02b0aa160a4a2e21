import FleetToken
import Testing

@testable import TokenProvider

@Suite("HTTP dates")
struct HTTPDateTests {
    @Test(
        "Reads all three forms of each date, as Foundation writes them",
        arguments: [
            0, 951_782_399, 951_868_799, 784_111_777, 1_709_164_800, 1_709_251_199, 1_735_689_599, 1_795_211_460,
            2_147_483_648,
            3_155_759_999,
        ]
    )
    func agreesWithFoundation(seconds: Int64) {
        let date = NumericDate(seconds: seconds)
        #expect(HTTPDate.parse(HTTPDateText.imf(date)) == date)
        #expect(HTTPDate.parse(HTTPDateText.rfc850(date)) == date)
        #expect(HTTPDate.parse(HTTPDateText.asctime(date)) == date)
    }

    @Test(
        "Refuses what is no date",
        arguments: [
            "", "GMT", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 31 Feb 1994 08:49:37 GMT",
            "Sun, 00 Nov 1994 08:49:37 GMT",
            "Sun, 29 Feb 2023 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT",
            "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 19941 08:49:37 GMT",
            "Sun, 06 NOV 1994 08:49:37 GMT", "Sun, 06 Nov 1969 08:49:37 GMT", "1994-11-06T08:49:37Z",
            "Sun, 0６ Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT extra",
        ]
    )
    func refuses(text: String) {
        #expect(HTTPDate.parse(text) == nil)
    }
}
