import Foundation
import Testing

@testable import FleetEngineClient

@Suite(.timeLimit(.minutes(1)))
struct TripModelTests {
    @Test
    func `The first subscriber starts polling, one request at a time, an interval after the last`() async throws {
        let test = TestEngine([.trip("NEW"), .trip("NEW"), .trip("ENROUTE_TO_PICKUP")])
        let model = test.model()
        #expect(model.state == .inactive)
        let subscriber = UpdateReader(model)
        #expect(model.state == .active)
        #expect(await test.time.next() == 5)
        #expect(await test.time.next() == 5)
        await test.time.waitForTimeouts()
        #expect(test.network.requests.count == 3)
        await subscriber.log.wait(for: 3)
        #expect(subscriber.log.entries == ["state active", "new", "enrouteToPickup"])
        let request = test.network.requests[0]
        #expect(request.url == "https://engine.example/v1/providers/demo/trips/t1")
        #expect(request.authorization == "Bearer token1")
        #expect(test.fetches.entries.count == 1)
    }

    @Test
    func `Versions of the known routes are sent back`() async throws {
        let version = #""currentRouteSegmentVersion":"2026-11-20T21:52:20Z""#
        let test = TestEngine([.trip("NEW", version)])
        let model = test.model()
        let updates = model.updates
        await test.time.next()
        await test.time.waitForTimeouts()
        let query = withExtendedLifetime(updates) { test.network.requests }.map(\.query)
        #expect(query == [nil, "currentRouteSegmentVersion=2026-11-20T21%3A52%3A20Z"])
    }

    @Test
    func `The last unsubscriber stops polling; a response under way is not reported`() async throws {
        let latch = Journal<Void>()
        let test = TestEngine(
            ScriptedNetwork { _, _ in
                await latch.wait(for: 1)
                return .trip("NEW")
            }
        )
        let model = test.model()
        let subscriber = UpdateReader(model)
        await test.network.waitForRequests(1)
        await subscriber.log.wait(for: 1)
        await subscriber.stop()
        #expect(model.state == .inactive)
        latch.append(())
        // Another subscriber's events come after those that the first one must not get.
        let other = UpdateReader(model)
        await other.log.wait(for: 2)
        #expect(subscriber.log.entries == ["state active"])
        #expect(other.log.entries == ["state active", "new"])
    }

    @Test(arguments: ["COMPLETE", "CANCELED"])
    func `A complete or canceled trip is reported, then polling stops`(status: String) async throws {
        let test = TestEngine([.trip(status)])
        let model = test.model()
        let subscriber = UpdateReader(model)
        await subscriber.log.wait(for: 3)
        #expect(subscriber.log.entries.last == "state inactive")
        #expect(model.state == .inactive)
        #expect(test.time.timeouts == 0)
    }

    @Test
    func `A subscriber that comes later gets what is known`() async throws {
        let test = TestEngine([.trip("NEW")])
        let model = test.model()
        let subscriber = UpdateReader(model)
        await test.time.waitForTimeouts()
        let other = UpdateReader(model)
        for reader in [subscriber, other] { await reader.log.wait(for: 2) }
        await test.time.next()
        await test.time.waitForTimeouts()
        #expect(other.log.entries == ["state active", "new"])
        #expect(subscriber.log.entries == ["state active", "new"])
    }

    @Test
    func `An outage is reported once for each request, and recovered from`() async throws {
        let outage = ScriptedAnswer.error(503, "UNAVAILABLE")
        let test = TestEngine([.trip("NEW"), outage, outage, outage, outage, outage, .trip("COMPLETE")])
        let model = test.model()
        let subscriber = UpdateReader(model)
        var pauses: [Double] = []
        for _ in 0..<6 { pauses.append(await test.time.next()) }
        await subscriber.log.wait(for: 10)
        let expected = [5, 1, 1.3, 1.69, 2.197, 5]
        for (pause, expected) in zip(pauses, expected) { #expect(abs(pause - expected) < 1e-6) }
        #expect(subscriber.log.entries.filter { $0 == "failed UNAVAILABLE" }.count == 5)
        #expect(subscriber.log.entries.suffix(3) == ["recovered", "complete", "state inactive"])
    }

    @Test
    func `A reader who comes after the others have left is not told of a recovery from their failures`() async throws {
        let test = TestEngine([.error(503, "UNAVAILABLE"), .trip("NEW")])
        let model = test.model()
        let reader = UpdateReader(model)
        await reader.log.wait(for: 2)
        await reader.stop()
        let other = UpdateReader(model)
        await other.log.wait(for: 2)
        #expect(other.log.entries == ["state active", "new"])
    }

    @Test
    func `A rejected token is dropped and the request is sent once more with a new one`() async throws {
        let test = TestEngine(
            ScriptedNetwork { request, _ in
                request.authorization == "Bearer token1"
                    ? .error(401, "UNAUTHENTICATED") : .trip("NEW")
            }
        )
        let model = test.model()
        let subscriber = UpdateReader(model)
        await subscriber.log.wait(for: 2)
        #expect(subscriber.log.entries == ["state active", "new"])
        #expect(test.network.requests.count == 2)
        #expect(test.fetches.entries.map(\.rejected) == [nil, "token1"])
    }

    @Test
    func `A new token that is rejected too is reported, and the next poll gets another`() async throws {
        let test = TestEngine([.error(401, "UNAUTHENTICATED")])
        let model = test.model()
        let subscriber = UpdateReader(model)
        await subscriber.log.wait(for: 2)
        #expect(subscriber.log.entries == ["state active", "failed UNAUTHENTICATED"])
        #expect(test.network.requests.count == 2)
        #expect(await test.time.next() == 5)
        await subscriber.log.wait(for: 3)
        #expect(
            test.network.requests.map(\.authorization) == ["Bearer token1", "Bearer token2", "Bearer token3"]
        )
        #expect(model.state == .active)
    }

    @Test
    func `refresh() requests at once, and at most once at a time`() async throws {
        let (refreshed, refresh) = AsyncStream.makeStream(of: Void.self)
        let test = TestEngine(
            ScriptedNetwork { _, number in
                // The first request is under way until the second refresh.
                if number == 1 { for await _ in refreshed {} }
                return .trip("NEW")
            }
        )
        let model = test.model(interval: 0)
        model.refresh()
        let subscriber = UpdateReader(model)
        model.refresh()
        refresh.finish()
        await subscriber.log.wait(for: 2)
        #expect(test.time.timeouts == 0)
        #expect(test.network.requests.count == 1)
        model.refresh()
        await test.network.waitForRequests(2)
    }

    @Test
    func `A stream has the updates from the known state to the end, and then ends`() async throws {
        let test = TestEngine([.trip("NEW"), .error(404, "NOT_FOUND"), .trip("COMPLETE")])
        let model = test.model()
        let updates = model.updates
        await test.time.next()
        #expect(await test.time.next() == 30)
        var lines: [String] = []
        for await event in updates {
            switch event {
            case .state(let state): lines.append("\(state)")
            case .updated(let trip): lines.append("\(trip.tripStatus)")
            case .failed(let error): lines.append("\(error)")
            case .recovered: break
            @unknown default: break
            }
        }
        #expect(lines == ["active", "new", "NOT_FOUND: Refused.", "complete", "inactive"])
    }

    @Test
    func `The stream of a trip that has ended already has its last state, and keeps nothing alive`() async throws {
        let test = TestEngine([.trip("COMPLETE")])
        weak var released: TripModel?
        do {
            let model = test.model()
            released = model
            for await _ in model.updates {}
            let reader = UpdateReader(model)
            await reader.log.wait(for: 2)
            #expect(reader.log.entries == ["complete", "state inactive"])
            model.refresh()
            #expect(test.network.requests.count == 1)
        }
        for _ in 0..<100_000 where released != nil { await Task.yield() }
        #expect(released == nil)
    }

    @Test
    func `A stream that nothing reads any more stops following`() async throws {
        let test = TestEngine([.trip("NEW")])
        let model = test.model()
        for await case .updated in model.updates { break }
        #expect(model.state == .inactive)
    }

    @Test
    func `A trip has one model while it is in use`() throws {
        let test = TestEngine([.trip("NEW")])
        let model = test.model()
        #expect(test.model() === model)
        #expect(test.model("t2") !== model)
    }
}
