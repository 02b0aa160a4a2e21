import EngineCoding
import Testing

@testable import FleetEngineClient

/// Many tasks at once on one model and one reporter; also run under ThreadSanitizer.
@Suite(.timeLimit(.minutes(1)))
struct FollowerStressTests {
    /// Counts what runs at once.
    private final class Gauge: Sendable {
        private let state = Lock((now: 0, most: 0))

        var most: Int { state.withLock { $0.most } }

        func run<Value>(_ body: () async throws -> Value) async rethrows -> Value {
            state.withLock { state in
                state.now += 1
                state.most = max(state.most, state.now)
            }
            defer { state.withLock { $0.now -= 1 } }
            return try await body()
        }
    }

    private static let status = ["NEW", "ENROUTE_TO_PICKUP", "ARRIVED_AT_PICKUP"]

    private func engine(_ gauge: Gauge) throws -> TestEngine {
        TestEngine(
            ScriptedNetwork { _, number in
                await gauge.run {
                    await Task.yield()
                    return number % 7 == 0 ? .error(503, "UNAVAILABLE") : .trip(Self.status[number % 3])
                }
            }
        )
    }

    @Test
    func `Readers that come and go leave no request, timer or subscriber behind`() async throws {
        // A request that was cancelled may still end while the next one begins, so their number is not checked here.
        let test = try engine(Gauge())
        let model = test.model()
        let clock = Task {
            while !Task.isCancelled {
                _ = test.time.advanceToNext()
                await Task.yield()
            }
        }
        await withTaskGroup(of: Void.self) { group in
            for reader in 0..<16 {
                group.addTask {
                    for round in 0..<25 {
                        var events = 0
                        var known: Trip?
                        for await event in model.updates {
                            if case .updated(let trip) = event {
                                #expect(trip != known, "an update to what the reader knows")
                                known = trip
                            }
                            events += 1
                            if (reader + round) % 3 == 0 { model.refresh() }
                            if events > (reader + round) % 4 { break }
                        }
                    }
                }
            }
        }
        clock.cancel()
        await clock.value
        #expect(model.state == .inactive)
        // The last request ends by its cancellation, a moment after its reader; one that stays is found by the watchdog.
        while test.time.timeouts > 0 { await Task.yield() }
    }

    @Test
    func `Readers that are cancelled while events come end, and so does following`() async throws {
        let test = try engine(Gauge())
        let model = test.model(interval: 0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for round in 0..<100 {
                        let reader = Task {
                            for await _ in model.updates {}
                        }
                        for _ in 0...round % 8 {
                            model.refresh()
                            await Task.yield()
                        }
                        reader.cancel()
                        await reader.value
                    }
                }
            }
        }
        #expect(model.state == .inactive)
    }

    @Test
    func `Tracking that is turned on and off by many tasks ends with the vehicle offline`() async throws {
        let gauge = Gauge()
        let test = try engine(gauge)
        let update = VehicleUpdate(location: VehicleLocation(location: LatLng(latitude: 1, longitude: 1)))
        let reporter = test.engine.vehicleReporter(for: "v1") { update }
        let events = reporter.events
        let clock = Task {
            while !Task.isCancelled {
                _ = test.time.advanceToNext()
                await Task.yield()
            }
        }
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<16 {
                group.addTask {
                    for round in 0..<50 {
                        reporter.locationTrackingEnabled = (number + round) % 3 != 0
                        reporter.updateVehicleState(round % 2 == 0 ? .online : .offline)
                        await Task.yield()
                    }
                }
            }
        }
        reporter.locationTrackingEnabled = true
        reporter.updateVehicleState(.online)
        reporter.locationTrackingEnabled = false
        for await case .succeeded(let last) in events where last.location == nil && last.vehicleState == .offline {
            let isOver =
                !reporter.locationTrackingEnabled && test.network.requests.last?.query == "updateMask=vehicleState"
            if isOver { break }
        }
        clock.cancel()
        await clock.value
        #expect(reporter.vehicleState == .offline)
        #expect(gauge.most == 1)
    }
}
