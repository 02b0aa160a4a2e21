import EngineCoding
import Foundation
import Testing

@testable import FleetEngineClient

/// Reads the outcomes of updates, and writes each down as a line.
private final class EventReader: Sendable {
    let log = Journal<String>()

    init(_ reporter: VehicleReporter) {
        Task { [log, events = reporter.events] in
            for await event in events {
                switch event {
                case .succeeded(let update): log.append("succeeded \(update.location?.location.latitude ?? 0)")
                case .failed(_, let error): log.append(error.isEmptyMask ? "empty" : "failed")
                @unknown default: break
                }
            }
        }
    }
}

@Suite(.timeLimit(.minutes(1)))
struct VehicleReporterTests {
    private let update = Lock<VehicleUpdate?>(
        VehicleUpdate(
            location: VehicleLocation(
                location: LatLng(latitude: 25.5, longitude: 121),
                heading: 42,
                speed: 7.5,
                horizontalAccuracy: 2.25,
                updateTime: Date(timeIntervalSince1970: 1_795_211_551.2)
            )
        )
    )

    private func source() -> @Sendable () -> VehicleUpdate? {
        { [update] in update.withLock { $0 } }
    }

    @Test
    func `An on-demand vehicle is updated with the driver's token, and reported as offline at the end`() async throws {
        let test = TestEngine([ScriptedAnswer()])
        let reporter = test.engine.vehicleReporter(for: "v1", source: source())
        let listener = EventReader(reporter)
        reporter.locationTrackingEnabled = true
        await listener.log.wait(for: 1)
        reporter.updateVehicleState(.online)
        await listener.log.wait(for: 2)
        #expect(await test.time.next() == 10)
        await listener.log.wait(for: 3)
        reporter.locationTrackingEnabled = false
        await listener.log.wait(for: 4)
        #expect(test.time.timeouts == 0)
        #expect(reporter.statistics.succeededUpdates == 4)
        let location =
            #""lastLocation":{"location":{"latitude":25.5,"longitude":121.0},"heading":42,"speed":7.5,"#
            + #""latlngAccuracy":2.25,"updateTime":"2026-11-20T21:52:31.200Z"}"#
        #expect(test.network.requests.map(\.method) == ["PUT", "PUT", "PUT", "PUT"])
        #expect(test.network.requests[0].url.hasPrefix("https://engine.example/v1/providers/demo/vehicles/v1?"))
        #expect(
            test.network.requests.map(\.query) == [
                "updateMask=vehicleState%2ClastLocation", "updateMask=vehicleState%2ClastLocation",
                "updateMask=vehicleState%2ClastLocation", "updateMask=vehicleState",
            ]
        )
        #expect(
            test.network.requests.map(\.body) == [
                #"{"vehicleState":"OFFLINE",\#(location)}"#, #"{"vehicleState":"ONLINE",\#(location)}"#,
                #"{"vehicleState":"ONLINE",\#(location)}"#, #"{"vehicleState":"OFFLINE"}"#,
            ]
        )
        #expect(test.fetches.entries.map(\.purpose) == [.vehicle("v1")])
    }

    @Test
    func `A delivery vehicle's update has its route and progress`() async throws {
        let test = TestEngine([ScriptedAnswer()])
        let reporter = test.engine.deliveryVehicleReporter(for: "dv-1", source: source())
        update.withLock {
            $0?.route = [LatLng(latitude: 38.5, longitude: -120.2), LatLng(latitude: 40.7, longitude: -120.95)]
            $0?.destinationWaypoint = LatLng(latitude: 40.7, longitude: -120.95)
            $0?.remainingTime = 803
            $0?.remainingDistance = 6207
            $0?.navigationStatus = .enrouteToDestination
            $0?.location = VehicleLocation(location: LatLng(latitude: 38.5, longitude: -120.2))
        }
        let listener = EventReader(reporter)
        reporter.locationTrackingEnabled = true
        await listener.log.wait(for: 1)
        reporter.locationTrackingEnabled = false
        let request = try #require(test.network.requests.first)
        #expect(request.method == "PATCH")
        #expect(request.url.contains("/v1/providers/demo/deliveryVehicles/dv-1?"))
        let polyline = Data("_p~iF~ps|U_ulLnnqC".utf8).base64EncodedString()
        #expect(
            request.body
                == #"{"lastLocation":{"location":{"latitude":38.5,"longitude":-120.2}},"remainingDuration":"803s","#
                + #""remainingDistanceMeters":6207,"currentRouteSegment":"\#(polyline)","currentRouteSegmentEndPoint":"#
                + #"{"latitude":40.7,"longitude":-120.95},"navigationStatus":"ENROUTE_TO_DESTINATION"}"#
        )
        #expect(test.fetches.entries.map(\.purpose) == [.deliveryVehicle("dv-1")])
        #expect(test.network.requests.count == 1)
    }

    @Test
    func `Empty masks are told apart from failures; reporting goes on`() async throws {
        let mask = ScriptedAnswer.error(400, "INVALID_ARGUMENT", "update_mask cannot be empty")
        let test = TestEngine([mask, .error(503, "UNAVAILABLE"), ScriptedAnswer()])
        let reporter = test.engine.deliveryVehicleReporter(for: "dv-1", source: source())
        reporter.locationUpdateInterval = 1
        let listener = EventReader(reporter)
        let known = update.withLock { $0 }
        update.withLock { $0 = nil }
        reporter.locationTrackingEnabled = true
        await listener.log.wait(for: 1)
        #expect(test.network.requests.isEmpty)
        update.withLock { $0 = known }
        for count in 2...4 {
            #expect(await test.time.next() == 5)
            await listener.log.wait(for: count)
        }
        #expect(listener.log.entries == ["empty", "empty", "failed", "succeeded 25.5"])
        #expect(reporter.statistics.emptyMaskUpdates == 2)
        #expect(reporter.statistics.failedUpdates == 1)
    }

    @Test
    func `A rejected token is replaced`() async throws {
        let test = TestEngine(
            ScriptedNetwork { request, _ in
                request.authorization == "Bearer token1" ? .error(401, "UNAUTHENTICATED") : ScriptedAnswer()
            }
        )
        let reporter = test.engine.vehicleReporter(for: "v1", source: source())
        let listener = EventReader(reporter)
        reporter.locationTrackingEnabled = true
        await listener.log.wait(for: 1)
        #expect(listener.log.entries == ["succeeded 25.5"])
        #expect(test.fetches.entries.map(\.rejected) == [nil, "token1"])
    }

    @Test
    func `A released reporter stops, and its stream ends`() async throws {
        let test = TestEngine([ScriptedAnswer()])
        var reporter: VehicleReporter? = test.engine.vehicleReporter(for: "v1", source: source())
        let events = try #require(reporter?.events)
        reporter?.locationTrackingEnabled = true
        await test.network.waitForRequests(1)
        reporter = nil
        var count = 0
        for await _ in events { count += 1 }
        #expect(count <= 1)
        // The request ends by its cancellation, a moment after the stream.
        while test.time.timeouts > 0 { await Task.yield() }
    }

    @Test
    func `When the stream of a released reporter ends, its timer has ended already`() async throws {
        let test = TestEngine([ScriptedAnswer()])
        let events: AsyncStream<VehicleReporterEvent>
        do {
            let reporter = test.engine.vehicleReporter(for: "v1", source: source())
            events = reporter.events
            reporter.locationTrackingEnabled = true
            await test.time.waitForTimeouts()
        }
        for await _ in events {}
        #expect(test.time.timeouts == 0)
    }
}
