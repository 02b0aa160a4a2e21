import FleetEngineClient
import Foundation
import TestTime
import TestTraits
import Testing
import Timing
import TokenProvider
import TokenProviderTesting

/// A shift that outlasts tokens: a driver reports, a rider follows, and Fleet Engine refuses expired tokens.
@Suite("Hours of following and reporting", .watchdog)
struct ShiftTests {
    private static let lifetime = 3540.0
    /// With the jitter of the tests, the refresh of a token is due at this age; `Tests/TokenCases` has the rule.
    private static let refreshAge = 2940.0

    @Test("In a shift of four hours tokens are refreshed before they expire, as often as computed")
    func shift() async throws {
        let shift = 4 * 3600.0
        let time = TestClock()
        let firstUse = Lock<[String: Double]>([:])
        let network = ScriptedNetwork { request, _ in
            let token = try #require(request.authorization)
            let age = firstUse.withLock { firstUse in
                firstUse[token] = firstUse[token] ?? time.elapsed
                return time.elapsed - (firstUse[token] ?? 0)
            }
            guard age < Self.lifetime else { return .error(401, "UNAUTHENTICATED") }
            return request.method == "GET" ? .trip("ENROUTE_TO_PICKUP") : ScriptedAnswer()
        }
        let test = try TestEngine(network, time: time)
        let outcomes = Journal<Bool>()
        let reporter = test.engine.vehicleReporter(for: ("v1")) {
            VehicleUpdate(location: VehicleLocation(location: LatLng(latitude: 25, longitude: 121)))
        }
        let reports = Task { [events = reporter.events] in
            for await event in events {
                if case .succeeded = event { outcomes.append(true) } else { outcomes.append(false) }
            }
        }
        defer { reports.cancel() }
        reporter.locationTrackingEnabled = true
        let model = try test.model()
        let failures = Journal<FleetEngineError>()
        let following = Task { [updates = model.updates] in
            for await case .failed(let error) in updates { failures.append(error) }
        }
        defer { following.cancel() }

        while time.elapsed < shift {
            // The driver's earlier reports have ended; the rider's timer is set when a request has.
            await outcomes.wait(for: Int((time.elapsed / 10).rounded(.up)))
            await time.waitForTimeouts(2)
            // The cache gives a fetch up whose time has passed, even if no timer said so.
            try await test.tokens.waitForFetches()
            await time.next()
        }

        #expect(!outcomes.entries.contains(false))
        #expect(reporter.statistics.failedUpdates == 0)
        #expect(failures.entries.isEmpty)
        let fetches = test.fetches.entries
        for scope in [TokenScope.driver(vehicle: ("v1")), .consumer(trip: "t1")] {
            let reasons = fetches.filter { $0.scope == scope }.map(\.reason)
            let refreshes = Array(repeating: TokenFetchReason.refreshAhead, count: Int(shift / Self.refreshAge))
            #expect(reasons == [.missing] + refreshes)
        }
        #expect(firstUse.withLock { $0.count } == fetches.count)
    }
}
