import Testing
import TokenProviderTesting

@testable import FleetEngineClient

@Suite(.timeLimit(.minutes(1)))
struct FollowingTests {
    private func lines(_ test: TestEngine) -> AsyncMapSequence<AsyncStream<FollowEvent<Trip>>, String> {
        test.updates().map { event in event.line { "\($0.tripStatus)" } }
    }

    @Test
    func `Following sends one request at a time, an interval after the last, and reports changes alone`() async throws {
        let test = TestEngine([.trip("NEW"), .trip("NEW"), .trip("ENROUTE_TO_PICKUP")])
        var events = lines(test).makeAsyncIterator()
        #expect(await events.next() == "state active")
        #expect(await events.next() == "new")
        #expect(try await test.nextPause() == 5)
        #expect(try await test.nextPause() == 5)
        #expect(await events.next() == "enrouteToPickup")
        #expect(test.network.requests.count == 3)
        let request = test.network.requests[0]
        #expect(request.url == "https://engine.example/v1/providers/demo/trips/t1")
        #expect(request.authorization == "Bearer token1")
        #expect(test.fetches.count == 1)
    }

    @Test(arguments: [("COMPLETE", "complete"), ("CANCELED", "canceled")])
    func `A complete or canceled trip is reported, then following ends`(status: String, line: String) async throws {
        var events: [String] = []
        for await event in lines(TestEngine([.trip(status)])) { events.append(event) }
        #expect(events == ["state active", line, "state inactive"])
    }

    @Test
    func `An outage is reported once for each request, and recovered from`() async throws {
        let outage = ScriptedResponse.error(503, "UNAVAILABLE")
        let test = TestEngine([.trip("NEW"), outage, outage, outage, outage, outage, .trip("COMPLETE")])
        let clock = Task {
            var pauses: [Double] = []
            for _ in 0..<6 { pauses.append(try await test.nextPause()) }
            return pauses
        }
        var events: [String] = []
        for await event in lines(test) { events.append(event) }
        #expect(try await clock.value == [5, 5, 5, 5, 5, 5])
        #expect(events.filter { $0 == "failed UNAVAILABLE" }.count == 5)
        #expect(events.suffix(3) == ["recovered", "complete", "state inactive"])
    }

    @Test
    func `An error that needs action is reported, and following goes on`() async throws {
        let test = TestEngine([.trip("NEW"), .error(404, "NOT_FOUND"), .trip("COMPLETE")])
        let clock = Task { [try await test.nextPause(), try await test.nextPause()] }
        var events: [String] = []
        for await event in lines(test) { events.append(event) }
        #expect(events == ["state active", "new", "failed NOT_FOUND", "recovered", "complete", "state inactive"])
        #expect(try await clock.value == [5, 10])
    }

    @Test(arguments: PollCases.shared.pauses)
    func `The pauses are those of the table`(_ example: PollCases.Pauses) async throws {
        let fields = example.retryAfter.map { ["Retry-After": "\($0)"] } ?? [:]
        let responses = example.statuses.flatMap { status in
            guard status != 200 else { return [ScriptedResponse.trip("NEW")] }
            // A rejected token is replaced, and the request is sent once more.
            let response = ScriptedResponse(status: status, fields: fields, body: "")
            return status == 401 ? [response, response] : [response]
        }
        let test = TestEngine(ScriptedNetwork(responses), random: example.random ?? 0)
        let reader = Task {
            for await _ in test.updates() {}
        }
        for pause in example.pauses { #expect(try await test.nextPause() == pause) }
        reader.cancel()
    }

    @Test
    func `A rejected token is dropped and the request is sent once more with a new one`() async throws {
        let test = TestEngine(
            ScriptedNetwork { request, _ in
                request.authorization == "Bearer token1" ? .error(401, "UNAUTHENTICATED") : .trip("COMPLETE")
            }
        )
        var events: [String] = []
        for await event in lines(test) { events.append(event) }
        #expect(events == ["state active", "complete", "state inactive"])
        #expect(test.network.requests.count == 2)
        #expect(test.fetches.map(\.rejected) == [nil, "token1"])
    }

    @Test
    func `A new token that is rejected too is reported, and the next poll gets another`() async throws {
        let test = TestEngine([.error(401, "UNAUTHENTICATED")])
        var events = lines(test).makeAsyncIterator()
        #expect(await events.next() == "state active")
        #expect(await events.next() == "failed UNAUTHENTICATED")
        #expect(test.network.requests.count == 2)
        #expect(try await test.nextPause() == 10)
        #expect(await events.next() == "failed UNAUTHENTICATED")
        #expect(test.fetches.map(\.rejected) == [nil, "token1", "token2"])
        #expect(
            test.network.requests.map(\.authorization)
                == ["Bearer token1", "Bearer token2", "Bearer token2", "Bearer token3"]
        )
    }

    @Test
    func `A stream that nothing reads any more stops following`() async throws {
        let test = TestEngine([.trip("NEW")])
        for await case .updated in test.updates() {
            try await test.clock.waitForSleepers(1)
            break
        }
        var cancelled = test.cancelledPauses.makeAsyncIterator()
        #expect(await cancelled.next() != nil)
        #expect(test.network.requests.count == 1)
    }

    @Test
    func `A reader that is cancelled stops following`() async throws {
        let test = TestEngine([.trip("NEW")])
        let reader = Task {
            for await _ in test.updates() {}
        }
        try await test.clock.waitForSleepers(1)
        reader.cancel()
        await reader.value
        var cancelled = test.cancelledPauses.makeAsyncIterator()
        #expect(await cancelled.next() != nil)
        #expect(test.network.requests.count == 1)
    }
}
