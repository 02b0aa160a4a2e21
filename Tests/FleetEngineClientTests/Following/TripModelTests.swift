import Foundation
import TestTime
import TestTraits
import Testing
import TokenProvider

@testable import FleetEngineClient

@MainActor
@Suite("Following a trip", .watchdog)
struct TripModelTests {
    private let subscriber = RecordingSubscriber()

    @Test("The first subscriber starts polling, one request at a time, an interval after the last")
    func polling() async throws {
        let test = try TestEngine([.trip("NEW"), .trip("NEW"), .trip("ENROUTE_TO_PICKUP")])
        let model = try test.model()
        #expect(model.state == .inactive)
        model.register(subscriber)
        #expect(model.state == .active)
        #expect(await test.time.next() == 5)
        #expect(await test.time.next() == 5)
        await test.time.waitForTimeouts()
        #expect(test.network.requests.count == 3)
        await subscriber.log.wait(for: 5)
        #expect(subscriber.log.entries == ["state active", "trip 9", "status new", "trip 8", "status enrouteToPickup"])
        let request = test.network.requests[0]
        #expect(request.url == "https://engine.example/v1/providers/demo/trips/t1")
        #expect(request.authorization == "Bearer token 1")
        #expect(test.fetches.entries.count == 1)
    }

    @Test("Versions of the known routes are sent back")
    func versions() async throws {
        let version = #""currentRouteSegmentVersion":"2026-11-20T21:52:20Z""#
        let test = try TestEngine([.trip("NEW", version)])
        let model = try test.model()
        model.register(subscriber)
        await test.time.next()
        await test.time.waitForTimeouts()
        let query = test.network.requests.map(\.query)
        #expect(query == [nil, "currentRouteSegmentVersion=2026-11-20T21%3A52%3A20Z"])
    }

    @Test("The last unsubscriber stops polling; a response under way is not reported")
    func stopping() async throws {
        let latch = Log<Void>()
        let test = try TestEngine(
            ScriptedNetwork { _, _ in
                await latch.wait(for: 1)
                return .trip("NEW")
            }
        )
        let model = try test.model()
        model.register(subscriber)
        await test.network.waitForRequests(1)
        model.unregisterSubscriber(subscriber)
        #expect(model.state == .inactive)
        latch.append(())
        // Another subscriber's events come after those that the first one must not get.
        let other = RecordingSubscriber()
        model.register(other)
        await other.log.wait(for: 3)
        #expect(subscriber.log.entries == ["state active"])
        #expect(other.log.entries == ["state active", "trip 9", "status new"])
    }

    @Test("A subscriber that unregisters in a callback gets no other, of the same update neither")
    func unregisteringInside() async throws {
        let test = try TestEngine([.trip("NEW"), .trip("COMPLETE")])
        let model = try test.model()
        let other = RecordingSubscriber()
        subscriber.afterCall = { [subscriber] line in
            if line == "trip 9" { model.unregisterSubscriber(subscriber) }
        }
        model.register(subscriber)
        model.register(other)
        await test.time.next()
        await other.log.wait(for: 6)
        #expect(subscriber.log.entries == ["state active", "trip 9"])
        #expect(other.log.entries.last == "state inactive")
    }

    @Test("A subscriber that was released stops polling at the next timer, and its address can be reused")
    func released() async throws {
        let test = try TestEngine([.trip("NEW")])
        let model = try test.model()
        var leaving: RecordingSubscriber? = RecordingSubscriber()
        if let leaving { model.register(leaving) }
        leaving = nil
        await test.time.next()
        #expect(model.state == .inactive)
        #expect(test.time.timeouts == 0)
        #expect(test.network.requests.count == 1)
    }

    @Test("A complete or canceled trip is reported, then polling stops", arguments: ["COMPLETE", "CANCELED"])
    func ending(status: String) async throws {
        let test = try TestEngine([.trip(status)])
        let model = try test.model()
        model.register(subscriber)
        await subscriber.log.wait(for: 4)
        #expect(subscriber.log.entries.last == "state inactive")
        #expect(model.state == .inactive)
        #expect(test.time.timeouts == 0)
    }

    @Test("A subscriber that comes later gets what is known; registering twice has no effect")
    func late() async throws {
        let test = try TestEngine([.trip("NEW")])
        let model = try test.model()
        model.register(subscriber)
        await test.time.waitForTimeouts()
        let other = RecordingSubscriber()
        model.register(other)
        model.register(other)
        await other.log.wait(for: 3)
        await test.time.next()
        await test.time.waitForTimeouts()
        #expect(other.log.entries == ["state active", "trip 9", "status new"])
        #expect(subscriber.log.entries == ["state active", "trip 9", "status new"])
    }

    @Test("An outage is reported once for each request, and recovered from")
    func recovery() async throws {
        let outage = ScriptedAnswer.error(503, "UNAVAILABLE")
        let test = try TestEngine([.trip("NEW"), outage, outage, outage, outage, outage, .trip("COMPLETE")])
        let model = try test.model()
        model.register(subscriber)
        var pauses: [Double] = []
        for _ in 0..<6 { pauses.append(await test.time.next()) }
        await subscriber.log.wait(for: 11)
        let expected = [5, 1, 1.3, 1.69, 2.197, 5]
        for (pause, expected) in zip(pauses, expected) { #expect(abs(pause - expected) < 1e-6) }
        #expect(subscriber.log.entries.filter { $0 == "failed 14" }.count == 5)
        #expect(subscriber.log.entries.suffix(3) == ["trip 8", "status complete", "state inactive"])
    }

    @Test("A rejected token is dropped and the request is sent once more with a new one")
    func rejectedToken() async throws {
        let test = try TestEngine(
            ScriptedNetwork { request, _ in
                request.authorization == "Bearer token 1"
                    ? .error(401, "UNAUTHENTICATED") : .trip("NEW")
            }
        )
        let model = try test.model()
        model.register(subscriber)
        await subscriber.log.wait(for: 3)
        #expect(subscriber.log.entries == ["state active", "trip 9", "status new"])
        #expect(test.network.requests.count == 2)
        #expect(test.fetches.entries.map(\.reason) == [.missing, .tokenRejected])
    }

    @Test("A new token that is rejected too is reported, and the next poll gets another")
    func rejectedAgain() async throws {
        let test = try TestEngine([.error(401, "UNAUTHENTICATED")])
        let model = try test.model()
        model.register(subscriber)
        await subscriber.log.wait(for: 2)
        #expect(subscriber.log.entries == ["state active", "failed 16"])
        #expect(test.network.requests.count == 2)
        #expect(await test.time.next() == 5)
        await subscriber.log.wait(for: 3)
        #expect(
            test.network.requests.map(\.authorization) == ["Bearer token 1", "Bearer token 2", "Bearer token 3"]
        )
        #expect(model.state == .active)
    }

    @Test("refresh() requests at once, and at most once at a time")
    func refreshing() async throws {
        let (refreshed, refresh) = AsyncStream.makeStream(of: Void.self)
        let test = try TestEngine(
            ScriptedNetwork { _, number in
                // The first request is under way until the second refresh.
                if number == 1 { for await _ in refreshed {} }
                return .trip("NEW")
            }
        )
        let model = try test.model(interval: 0)
        model.refresh()
        model.register(subscriber)
        model.refresh()
        refresh.finish()
        await subscriber.log.wait(for: 3)
        #expect(test.time.timeouts == 0)
        #expect(test.network.requests.count == 1)
        model.refresh()
        await test.network.waitForRequests(2)
    }

    @Test("A stream has the updates from the known state to the end, and then ends")
    func stream() async throws {
        let test = try TestEngine([.trip("NEW"), .error(404, "NOT_FOUND"), .trip("COMPLETE")])
        let model = try test.model()
        let updates = model.updates
        await test.time.next()
        #expect(await test.time.next() == 30)
        var lines: [String] = []
        for await event in updates {
            switch event {
            case .state(let state): lines.append("\(state)")
            case .updated(let trip, let fields): lines.append("\(trip.tripStatus) \(fields.rawValue)")
            case .failed(let error): lines.append("\(error)")
            case .recovered: break
            @unknown default: break
            }
        }
        #expect(lines == ["active", "new 9", "NOT_FOUND: Refused.", "complete 8", "inactive"])
    }

    @Test("The stream of a trip that has ended already has its last state, and keeps nothing alive")
    func streamOfAnEndedTrip() async throws {
        let test = try TestEngine([.trip("COMPLETE")])
        weak var released: TripModel?
        do {
            let model = try test.model()
            released = model
            for await _ in model.updates {}
            var count = 0
            for await _ in model.updates { count += 1 }
            #expect(count == 2)
        }
        for _ in 0..<100_000 where released != nil { await Task.yield() }
        #expect(released == nil)
    }

    @Test("A stream that nothing reads any more stops following")
    func abandonedStream() async throws {
        let test = try TestEngine([.trip("NEW")])
        let model = try test.model()
        for await case .updated in model.updates { break }
        #expect(model.state == .inactive)
    }

    @Test("A trip has one model while it is in use, also by its name")
    func identity() throws {
        let test = try TestEngine([.trip("NEW")])
        let model = try test.model()
        #expect(try test.model() === model)
        #expect(try test.engine.tripModel(forTripName: "providers/demo/trips/t1") === model)
        #expect(try test.model("t2") !== model)
        #expect(model.name == "providers/demo/trips/t1")
    }

    @Test(
        "An invalid trip name is refused",
        arguments: [
            "", "t1", "providers/demo/trips/", "providers/other/trips/t1", "providers/demo/vehicles/t1",
            "providers/demo/trips/t1/x", "providers/demo/trips/*", "/providers/demo/trips/t1",
        ]
    )
    func names(name: String) throws {
        let test = try TestEngine([])
        let error = #expect(throws: FleetEngineError.self) { try test.engine.tripModel(forTripName: name) }
        #expect(error?.code == .invalidArgument)
    }

    @Test("A session shows the trip until it is hidden")
    func session() async throws {
        let test = try TestEngine([.trip("NEW"), .error(503, "UNAVAILABLE"), .trip("NEW"), .trip("COMPLETE")])
        let changes = Log<String>()
        let session = JourneySharingSession(tripModel: try test.model()) { session in
            changes.append("\(session.state) \(session.trip.map { "\($0.tripStatus)" } ?? "-") \(session.error != nil)")
        }
        session.show()
        session.show()
        await test.time.next()
        await changes.wait(for: 3)
        #expect(changes.entries == ["active - false", "active new false", "active new true"])
        session.hide()
        #expect(changes.entries.last == "inactive - false")
        #expect(session.tripModel.state == .inactive)
    }

    @Test("A success after failures clears the session's error, even if the trip has not changed")
    func sessionRecovery() async throws {
        let test = try TestEngine(
            ScriptedNetwork { _, number in
                number == 2 ? ScriptedAnswer(status: 503) : .trip("NEW")
            }
        )
        let (changes, continuation) = AsyncStream.makeStream(of: FleetEngineError.Code?.self)
        let session = JourneySharingSession(tripModel: try test.model()) { session in
            if session.trip != nil { continuation.yield(session.error?.code) }
        }
        session.show()
        var errors = changes.makeAsyncIterator()
        #expect(await errors.next() == .some(nil))
        await test.time.next()
        #expect(await errors.next() == .unavailable)
        await test.time.next()
        #expect(await errors.next() == .some(nil))
        #expect(session.error == nil && session.trip?.tripStatus == .new)
        session.hide()
    }

    @Test("Following reports that it has recovered, once")
    func recoveryEvent() async throws {
        let test = try TestEngine(
            ScriptedNetwork { _, number in
                number == 1 ? ScriptedAnswer(status: 503) : .trip(number > 3 ? "COMPLETE" : "NEW")
            }
        )
        var names: [String] = []
        let model = try test.model()
        let time = test.time
        let pacing = Task { for _ in 0..<3 { _ = await time.next() } }
        for await event in model.updates {
            switch event {
            case .failed: names.append("failed")
            case .recovered: names.append("recovered")
            case .updated: names.append("updated")
            default: break
            }
        }
        await pacing.value
        #expect(names == ["failed", "recovered", "updated", "updated"])
    }
}
