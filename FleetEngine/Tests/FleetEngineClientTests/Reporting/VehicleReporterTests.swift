import EngineCoding
import Foundation
import Testing
import TokenProviderTesting

@testable import FleetEngineClient

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

    private func outcomes(
        _ reporter: VehicleReporter
    ) -> AsyncMapSequence<AsyncStream<VehicleReporterEvent>, String>.AsyncIterator {
        reporter.events.map { event in
            switch event {
            case .succeeded(let update): "succeeded \(update.location?.location.latitude ?? 0)"
            case .failed(_, let error): error.isEmptyMask ? "empty" : "failed"
            }
        }.makeAsyncIterator()
    }

    @Test
    func `An on-demand vehicle is updated with the driver's token, and reported as offline at the end`() async throws {
        let test = TestEngine([ScriptedResponse()])
        let reporter = test.engine.vehicleReporter(for: "v1", source: source())
        var outcomes = outcomes(reporter)
        await reporter.startTracking()
        #expect(await outcomes.next() == "succeeded 25.5")
        await reporter.updateVehicleState(.online)
        #expect(await outcomes.next() == "succeeded 25.5")
        #expect(try await test.nextPause() == 10)
        #expect(await outcomes.next() == "succeeded 25.5")
        await reporter.stopTracking()
        #expect(await outcomes.next() == "succeeded 0.0")
        #expect(await reporter.statistics.succeededUpdates == 4)
        #expect(await reporter.vehicleState == .offline)
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
        #expect(test.fetches.map(\.purpose) == [.vehicle("v1")])
        // A state that is set before tracking is turned on is reported with the first update.
        await reporter.updateVehicleState(.online)
        #expect(test.network.requests.count == 4)
        await reporter.startTracking()
        #expect(await outcomes.next() == "succeeded 25.5")
        #expect(test.network.requests[4].body == #"{"vehicleState":"ONLINE",\#(location)}"#)
        await reporter.stopTracking()
    }

    @Test
    func `A delivery vehicle's update has its route and progress; no update follows the end`() async throws {
        let test = TestEngine([ScriptedResponse()])
        let reporter = test.engine.deliveryVehicleReporter(for: "dv-1", source: source())
        update.withLock {
            $0?.route = [LatLng(latitude: 38.5, longitude: -120.2), LatLng(latitude: 40.7, longitude: -120.95)]
            $0?.destinationWaypoint = LatLng(latitude: 40.7, longitude: -120.95)
            $0?.remainingTime = 803
            $0?.remainingDistance = 6207
            $0?.navigationStatus = .enrouteToDestination
            $0?.location = VehicleLocation(location: LatLng(latitude: 38.5, longitude: -120.2))
        }
        var outcomes = outcomes(reporter)
        await reporter.startTracking()
        #expect(await outcomes.next() == "succeeded 38.5")
        await reporter.stopTracking()
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
        #expect(test.fetches.map(\.purpose) == [.deliveryVehicle("dv-1")])
        #expect(test.network.requests.count == 1)
    }

    @Test
    func `Empty masks are counted apart from failures; reporting goes on`() async throws {
        let mask = ScriptedResponse.error(400, "INVALID_ARGUMENT", "update_mask cannot be empty")
        let test = TestEngine([mask, .error(503, "UNAVAILABLE"), ScriptedResponse()])
        let reporter = test.engine.deliveryVehicleReporter(for: "dv-1", every: 1, source: source())
        var outcomes = outcomes(reporter)
        let known = update.withLock { $0 }
        update.withLock { $0 = nil }
        await reporter.startTracking()
        #expect(await outcomes.next() == "empty")
        #expect(test.network.requests.isEmpty)
        update.withLock { $0 = known }
        for outcome in ["empty", "failed", "succeeded 25.5"] {
            #expect(try await test.nextPause() == 5)
            #expect(await outcomes.next() == outcome)
        }
        #expect(await reporter.statistics.emptyMaskUpdates == 2)
        #expect(await reporter.statistics.failedUpdates == 1)
        await reporter.stopTracking()
    }

    @Test(
        arguments: [(Double.nan, 0), (.infinity, 0), (0, Double.nan), (91, 0), (0, -181)]
    )
    func `An invalid location is not reported`(latitude: Double, longitude: Double) async throws {
        let test = TestEngine([ScriptedResponse()])
        update.withLock { $0?.location?.location = LatLng(latitude: latitude, longitude: longitude) }
        let reporter = test.engine.deliveryVehicleReporter(for: "dv-1", source: source())
        var outcomes = outcomes(reporter)
        await reporter.startTracking()
        #expect(await outcomes.next() == "empty")
        await reporter.stopTracking()
        #expect(test.network.requests.isEmpty)
    }

    @Test
    func `What failed is sent again with the newest data, what was accepted is not`() async throws {
        let test = TestEngine([.error(503, "UNAVAILABLE"), ScriptedResponse()])
        update.withLock { $0?.route = [LatLng(latitude: 1, longitude: 1), LatLng(latitude: 2, longitude: 2)] }
        let reporter = test.engine.deliveryVehicleReporter(for: "dv-1", source: source())
        var outcomes = outcomes(reporter)
        await reporter.startTracking()
        #expect(await outcomes.next() == "failed")
        update.withLock { $0?.location?.location.latitude = 26 }
        try await test.nextPause()
        #expect(await outcomes.next() == "succeeded 26.0")
        try await test.nextPause()
        #expect(await outcomes.next() == "succeeded 26.0")
        await reporter.stopTracking()
        let route = "updateMask=lastLocation%2CcurrentRouteSegment"
        #expect(test.network.requests.map(\.query) == [route, route, "updateMask=lastLocation"])
    }

    @Test(
        arguments: [
            (0.0, 5.0), (-1, 5), (5, 5), (12, 12), (60, 60), (61, 60), (.infinity, 60), (.nan, 5),
        ]
    )
    func `The interval is limited to 5 to 60 seconds`(setting: Double, interval: Double) async throws {
        let test = TestEngine([ScriptedResponse()])
        let reporter = test.engine.deliveryVehicleReporter(for: "dv-1", every: setting, source: source())
        await reporter.startTracking()
        #expect(try await test.nextPause() == interval)
        await reporter.stopTracking()
    }

    @Test
    func `A state that changes during a request is sent after it, with the newest data`() async throws {
        let gated = GatedNetwork(first: ScriptedResponse(), further: ScriptedResponse())
        let test = TestEngine(gated.network)
        let reporter = test.engine.vehicleReporter(for: "v1", source: source())
        var outcomes = outcomes(reporter)
        await reporter.startTracking()
        await gated.waitForRequest()
        await reporter.updateVehicleState(.online)
        update.withLock { $0?.location?.location.latitude = 26 }
        #expect(test.network.requests.count == 1)
        gated.open()
        #expect(await outcomes.next() == "succeeded 25.5")
        #expect(await outcomes.next() == "succeeded 26.0")
        #expect(test.network.requests[1].body?.hasPrefix(#"{"vehicleState":"ONLINE""#) == true)
        await reporter.stopTracking()
    }

    @Test
    func `Retry-After delays the next update`() async throws {
        let test = TestEngine([ScriptedResponse(status: 429, fields: ["Retry-After": "33"])])
        let reporter = test.engine.deliveryVehicleReporter(for: "dv-1", source: source())
        await reporter.startTracking()
        #expect(try await test.nextPause() == 33)
        await reporter.stopTracking()
    }

    /// How the state changes while Fleet Engine asks for a pause.
    enum StateChange: CaseIterable {
        case duringTheRequest, duringThePause
    }

    @Test(arguments: StateChange.allCases)
    func `A state that changes before the end of Retry-After is sent at its end`(change: StateChange) async throws {
        let refusal = ScriptedResponse(status: 503, fields: ["Retry-After": "33"])
        let gated = GatedNetwork(first: refusal, further: ScriptedResponse())
        let test = TestEngine(gated.network)
        let reporter = test.engine.vehicleReporter(for: "v1", source: source())
        var outcomes = outcomes(reporter)
        await reporter.startTracking()
        await gated.waitForRequest()
        if change == .duringTheRequest { await reporter.updateVehicleState(.online) }
        gated.open()
        if change == .duringThePause {
            try await test.clock.waitForSleepers(1)
            await reporter.updateVehicleState(.online)
        }
        #expect(await outcomes.next() == "failed")
        #expect(try await test.nextPause() == 33)
        #expect(await outcomes.next() == "succeeded 25.5")
        #expect(test.network.requests[1].body?.hasPrefix(#"{"vehicleState":"ONLINE""#) == true)
        // Later changes are sent at once again.
        try await test.clock.waitForSleepers(1)
        await reporter.updateVehicleState(.offline)
        #expect(await outcomes.next() == "succeeded 25.5")
        #expect(test.network.requests.count == 3)
        await reporter.stopTracking()
    }

    @Test
    func `stopTracking waits for one attempt of the offline update, and the others follow`() async throws {
        let test = TestEngine([ScriptedResponse(status: 503, fields: ["Retry-After": "3600"])])
        let reporter = test.engine.vehicleReporter(for: "v1", source: source())
        var outcomes = outcomes(reporter)
        await reporter.startTracking()
        #expect(await outcomes.next() == "failed")
        await reporter.stopTracking()
        #expect(test.network.requests.count == 2)
        // Tracking is off: there is nothing to wait for.
        await reporter.stopTracking()
        #expect(await outcomes.next() == "failed")
        #expect(try await test.nextPause() == 3_600)
        #expect(await outcomes.next() == "failed")
        #expect(test.network.requests.count == 3)
    }

    @Test
    func `The offline update waits for a request under way, and is tried again after Retry-After`() async throws {
        let refusal = ScriptedResponse(status: 503, fields: ["Retry-After": "20"])
        let gated = GatedNetwork(first: refusal, further: refusal)
        let test = TestEngine(gated.network)
        let reporter = test.engine.vehicleReporter(for: "v1", source: source())
        var outcomes = outcomes(reporter)
        await reporter.startTracking()
        await gated.waitForRequest()
        let stop = Task { await reporter.stopTracking() }
        while await reporter.isTracking, !Task.isCancelled { await Task.yield() }
        #expect(test.network.requests.count == 1)
        gated.open()
        #expect(await outcomes.next() == "failed")
        for attempt in 1...5 {
            #expect(await outcomes.next() == "failed")
            if attempt < 5 { #expect(try await test.nextPause() == 20) }
        }
        await stop.value
        #expect(
            test.network.requests.dropFirst().map(\.body) == Array(repeating: #"{"vehicleState":"OFFLINE"}"#, count: 5)
        )
    }

    @Test
    func `An offline update that is refused is not tried again`() async throws {
        let test = TestEngine([ScriptedResponse(), .error(403, "PERMISSION_DENIED")])
        let reporter = test.engine.vehicleReporter(for: "v1", source: source())
        var outcomes = outcomes(reporter)
        await reporter.startTracking()
        #expect(await outcomes.next() == "succeeded 25.5")
        await reporter.stopTracking()
        #expect(await outcomes.next() == "failed")
        #expect(test.network.requests.count == 2)
    }

    @Test
    func `A rejected token is replaced`() async throws {
        let test = TestEngine(
            ScriptedNetwork { request, _ in
                request.authorization == "Bearer token1" ? .error(401, "UNAUTHENTICATED") : ScriptedResponse()
            }
        )
        let reporter = test.engine.vehicleReporter(for: "v1", source: source())
        var outcomes = outcomes(reporter)
        await reporter.startTracking()
        #expect(await outcomes.next() == "succeeded 25.5")
        #expect(test.fetches.map(\.rejected) == [nil, "token1"])
        await reporter.stopTracking()
    }

    @Test
    func `The stream of a reporter that was stopped and released ends`() async throws {
        let test = TestEngine([ScriptedResponse()])
        let events: AsyncStream<VehicleReporterEvent>
        do {
            let reporter = test.engine.vehicleReporter(for: "v1", source: source())
            events = reporter.events
            await reporter.startTracking()
            try await test.clock.waitForSleepers(1)
            await reporter.stopTracking()
        }
        var count = 0
        for await _ in events { count += 1 }
        #expect(count == 2)
    }

    @Test
    func `Tracking that many tasks turn on and off ends with the vehicle offline`() async throws {
        let requests = Lock((now: 0, most: 0))
        let test = TestEngine(
            ScriptedNetwork { _, number in
                requests.withLock { requests in
                    requests.now += 1
                    requests.most = max(requests.most, requests.now)
                }
                await Task.yield()
                requests.withLock { $0.now -= 1 }
                return number % 7 == 0 ? .error(503, "UNAVAILABLE") : ScriptedResponse()
            }
        )
        let reporter = test.engine.vehicleReporter(for: "v1", source: source())
        let clock = Task {
            while !Task.isCancelled {
                test.clock.advance(by: 10)
                await Task.yield()
            }
        }
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<16 {
                group.addTask {
                    for round in 0..<50 {
                        await reporter.startTracking()
                        await reporter.updateVehicleState(round % 2 == 0 ? .online : .offline)
                        // It waits as long as another task tracks.
                        if (number + round) % 3 == 0 { Task { await reporter.stopTracking() } }
                    }
                }
            }
        }
        await reporter.startTracking()
        await reporter.stopTracking()
        clock.cancel()
        await clock.value
        #expect(await reporter.vehicleState == .offline)
        #expect(test.network.requests.last?.query == "updateMask=vehicleState")
        #expect(requests.withLock { $0.most } == 1)
    }
}
