import Foundation
import Testing

@testable import TokenProvider

struct HTTPDateTests {
    @Test(
        arguments: [
            0, 951_782_399, 951_868_799, 784_111_777, 1_709_164_800, 1_709_251_199, 1_735_689_599, 1_795_211_460,
            2_147_483_648, 3_155_759_999,
        ] as [TimeInterval]
    )
    func `A date is read in all three forms`(seconds: TimeInterval) {
        let date = Date(timeIntervalSince1970: seconds)
        #expect(HTTPDate.parse(HTTPDateText.imf(date)) == date)
        #expect(HTTPDate.parse(HTTPDateText.rfc850(date)) == date)
        #expect(HTTPDate.parse(HTTPDateText.asctime(date)) == date)
    }

    @Test(
        arguments: [
            "", "GMT", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
            "Sun, 29 Feb 2023 08:49:37 GMT",
            "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT", "Sun, 06 Nov 1994 08:49 GMT",
            "Sun, 06 Nov 1969 08:49:37 GMT", "1994-11-06T08:49:37Z", "Sun, 0６ Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37 GMT extra",
        ]
    )
    func `Text that is not a date is an error`(text: String) {
        #expect(HTTPDate.parse(text) == nil)
    }
}
