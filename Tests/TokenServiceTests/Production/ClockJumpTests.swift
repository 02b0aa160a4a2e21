import FleetToken
import Foundation
import Logging
import ServiceLifecycle
import ServiceSupport
import StrictCoding
import TestSupport
import TestTime
import TestTraits
import Testing
import TokenMinting

@testable import TokenService

/// A machine whose clock is set while it serves hands out nothing that has expired or comes from the future.
@Suite(.watchdog)
struct ClockJumpTests {
    private let clock = TestClock(at: Double(NumericDate.now.seconds))

    /// Runs the service that ``KeySite`` configures, with a clock of the test's.
    private func serve(
        _ body:
            @escaping @Sendable (_ ask: @escaping @Sendable () async throws -> TransferResponse) async throws -> Void
    ) async throws {
        try await KeySite.with { site in
            try site.populate()
            try site.configure { $0["service"] = ["listen": "127.0.0.1:0", "drainSeconds": 0] }
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let (ready, listening) = AsyncStream.makeStream(of: Int.self)
            let service = try await ProductionMode(path: site.path("tokend.yaml")).service(
                logger: logger,
                clock: clock.service,
                onReady: { listening.yield($0.service.port) }
            )
            let group = ServiceGroup(configuration: .init(services: [.init(service: service)], logger: logger))
            async let running: Void = group.run()
            var ports = ready.makeAsyncIterator()
            let port = try #require(await ports.next())
            let field = "X-API-Key: \(TestAPIKey.key)"
            try await body { try await HTTPExchange.request("GET", "/token/driver/v1", port: port, headers: [field]) }
            await group.triggerGracefulShutdown()
            try await running
        }
    }

    private func issuedAt(_ answer: TransferResponse) throws -> NumericDate {
        let token = try #require(try answer.json()["token"]?.stringValue)
        return try #require(ClaimsReading(payload: try Self.payload(of: token)).issuedAt)
    }

    private static func payload(of token: String) throws -> [UInt8] {
        try Base64URL.decode(Array(token.utf8.split(separator: UInt8(ascii: "."))[1]))
    }

    @Test(
        "After a jump of the clock a new token is issued",
        arguments: [7200, 3600, 241, -2, -61, -3600, -7200] as [Int64]
    )
    func tokenFromAnotherTimeIsNotHandedOutAgain(difference: Int64) async throws {
        try await serve { ask in
            let first = try await ask()
            #expect(first.status == 200)
            clock.setWallClock(by: Double(difference))
            let second = try await ask()
            #expect(second.status == 200)
            #expect(try second.json()["token"] != (try first.json()["token"]))
            #expect(try second.json()["expiresInSeconds"]?.integerValue == 3540)
            #expect(try issuedAt(second) == clock.now - 60)
            // And from then on it is as before.
            #expect(try (try await ask()).json()["token"] == (try second.json()["token"]))
        }
    }

    @Test("While the clock goes on, the token is reused")
    func clockThatGoesOnReusesTheToken() async throws {
        try await serve { ask in
            let first = try await ask()
            clock.advance(by: 200)
            let second = try await ask()
            #expect(try second.json()["token"] == (try first.json()["token"]))
            #expect(try second.json()["expiresInSeconds"]?.integerValue == 3340)
        }
    }
}
