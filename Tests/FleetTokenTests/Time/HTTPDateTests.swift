import Testing

@testable import FleetToken

struct HTTPDateTests {
    @Test(
        arguments: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        ]
    )
    func `A date is read in all three forms`(text: String) {
        #expect(HTTPDate.parse(text)?.seconds == 784_111_777)
    }

    @Test(
        arguments: [
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Mon, 28 Feb 2000 23:59:59 GMT", 951_782_399),
            ("Tue, 29 Feb 2000 23:59:59 GMT", 951_868_799),
            ("Thu, 29 Feb 2024 00:00:00 GMT", 1_709_164_800),
            ("Tue, 31 Dec 2069 23:59:59 GMT", 3_155_759_999),
        ]
    )
    func `Leap days and the ends of months and years are read`(text: String, seconds: Int64) {
        #expect(HTTPDate.parse(text)?.seconds == seconds)
    }

    @Test(
        arguments: [
            "", "now", "Fri, 20 Nov 2026", "Fri, 31 Feb 2026 22:48:10 GMT", "Fri, 20 Nov 2026 22:48:10 UTC",
            "Fri, 20 Nov 99999999999 22:48:10 GMT", "Thu, 20 Nov 2026 22:48:10 GMT", "Fri,20 Nov 2026 22:48:10 GMT",
        ]
    )
    func `Text that is no date is refused`(text: String) {
        #expect(HTTPDate.parse(text) == nil)
    }
}
