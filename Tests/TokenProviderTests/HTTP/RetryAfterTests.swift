import Foundation
import Testing

@testable import TokenProvider

/// The forms of the field are in the table of cases.
struct RetryAfterTests {
    private let now = Date(timeIntervalSince1970: 784_111_777)  // 1994-11-06T08:49:37Z

    @Test
    func `A date is measured against the server's clock when the device's is wrong`() throws {
        let response = ServerResponse(
            status: 503,
            date: HTTPDateText.imf(now),
            retryAfter: HTTPDateText.imf(now.addingTimeInterval(120))
        )
        for error in [-200_000.0, 200_000] {
            let found = #expect(throws: TokenProviderError.self) {
                try response.token(TokenServer.json(), now: now.timeIntervalSince1970 + error)
            }
            #expect(found?.retryAfter == 120)
        }
    }
}
