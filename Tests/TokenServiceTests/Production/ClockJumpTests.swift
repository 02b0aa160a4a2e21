import FleetToken
import ServiceSupport
import TestSupport
import TestTools
import Testing
import TokenMinting

@testable import TokenService

/// A machine whose clock is set while it serves hands out nothing that has expired or comes from the future.
@Suite(.watchdog)
struct ClockJumpTests {
    private static let path = "/token/driver/v1"
    private let clock = TestClock(at: Double(NumericDate.now.seconds))

    private func issuedAt(_ answer: TransferResponse) throws -> NumericDate {
        let token = try #require(try answer.json()["token"]?.stringValue)
        return try #require(ClaimsReading(payload: try Self.payload(of: token)).issuedAt)
    }

    private static func payload(of token: String) throws -> [UInt8] {
        try Base64URL.decode(Array(token.utf8.split(separator: UInt8(ascii: "."))[1]))
    }

    @Test(
        arguments: [7200, 3600, 241, -2, -61, -3600, -7200] as [Int64]
    )
    func `After a jump of the clock a new token is issued`(difference: Int64) async throws {
        try await RunningService.production(clock: clock.service) { service in
            let first = try await service.ask(Self.path)
            #expect(first.status == 200)
            clock.setWallClock(by: Double(difference))
            let second = try await service.ask(Self.path)
            #expect(second.status == 200)
            #expect(try second.json()["token"] != (try first.json()["token"]))
            #expect(try second.json()["expiresInSeconds"]?.integerValue == 3540)
            #expect(try issuedAt(second) == clock.now - 60)
            // And from then on it is as before.
            #expect(try (try await service.ask(Self.path)).json()["token"] == (try second.json()["token"]))
        }
    }

    /// The year 2262 is the last that 64 bits of nanoseconds can hold, in place of later ones.
    @Test(
        arguments: [9_223_372_035, 7_258_118_400, 1_577_836_799, 60] as [Int64]
    )
    func `While the clock is wrong, requests fail with 503 and the service is not ready`(seconds: Int64) async throws {
        try await RunningService.production(clock: clock.service) { service in
            let difference = Double(seconds - clock.now.seconds)
            clock.setWallClock(by: difference)
            let refused = try await service.ask(Self.path)
            #expect(refused.status == 503)
            #expect(String(decoding: refused.body, as: UTF8.self).contains(#""reason":"CLOCK_UNAVAILABLE""#))
            #expect(try await service.ask("/health").status == 503)
            clock.setWallClock(by: -difference)
            clock.advance(by: 2)
            #expect(try await service.ask(Self.path).status == 200)
            #expect(try await service.ask("/health").status == 200)
        }
    }
}
