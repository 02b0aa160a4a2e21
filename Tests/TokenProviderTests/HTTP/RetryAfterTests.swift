import FleetToken
import TestTraits
import Testing
import Timing

@testable import TokenProvider

/// Faults seen elsewhere: `Retry-After` capped to two seconds, its date form ignored, white space read as zero, garbage a crash.
@Suite("The header field Retry-After")
struct RetryAfterTests {
    private let now = NumericDate(seconds: 784_111_777)  // 1994-11-06T08:49:37Z

    @Test("A server may have a bound of its own", .tags(.b45))
    func bounded() {
        #expect(RetryAfter.seconds("600", date: nil, maximum: 300) == 300)
        #expect(RetryAfter.seconds("Sun, 06 Nov 1994 08:59:37 GMT", date: now, maximum: 300) == 300)
    }

    @Test("A date is none where the server's clock isn't known", .tags(.b45))
    func dateWithoutAClock() {
        #expect(RetryAfter.seconds("Sun, 06 Nov 1994 08:50:37 GMT", date: nil) == nil)
    }

    @Test("A date is measured against the server's clock when the device's is wrong", .tags(.b45))
    func measuredAgainstTheServersClock() throws {
        let scope = try TokenScope.trip("trip-1")
        let answer = TransferResponse(
            status: 503,
            date: HTTPDateText.imf(now),
            retryAfter: HTTPDateText.imf(now + 120)
        )
        for device in [now.seconds - 200_000, now.seconds + 200_000] {
            let reader = TokenResponseReader(format: .fleetToken, scope: scope, now: Double(device))
            let error = #expect(throws: TokenProviderError.self) { try reader.read(answer) }
            #expect(error?.retryAfter == 120)
        }
    }
}
