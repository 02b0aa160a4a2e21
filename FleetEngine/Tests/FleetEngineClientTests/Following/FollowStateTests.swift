import Testing

@testable import FleetEngineClient

/// A state to follow: a number, which ends with 9.
private struct Counter: Followed {
    var value: Int
    var isTerminal: Bool { value == 9 }
}

@Suite("The state machine of following")
struct FollowStateTests {
    /// Random inputs, and what they must never lead to.
    @Test("Random traces keep the rules", arguments: 0..<400)
    func traces(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var state = FollowState<Counter>(PollPolicy(interval: seed % 5 == 0 ? 0 : 5))
        var subscribers: Set<UInt64> = []
        var known: [UInt64: Counter?] = [:]
        var lastID: UInt64 = 0
        var running: (number: UInt64, isPoll: Bool)?
        var hasEnded = false

        for _ in 0..<60 {
            let input: FollowState<Counter>.Input
            switch Int.random(in: 0..<10, using: &random) {
            case 0...1:
                lastID += 1
                subscribers.insert(lastID)
                known[lastID] = .some(nil)
                input = .subscribe(lastID)
            case 2:
                let id = subscribers.randomElement(using: &random) ?? 99
                subscribers.remove(id)
                input = .unsubscribe(id)
            case 3: input = .refresh
            case 4: input = .wake(UInt64.random(in: 0...30, using: &random))
            default:
                // Mostly what is under way, sometimes a late answer.
                let number = Int.random(in: 0..<5, using: &random) == 0 ? 1 : running?.number ?? 0
                let fails = Bool.random(using: &random)
                let value = Counter(value: .random(in: 0...9, using: &random))
                input =
                    running?.isPoll == false
                    ? .wake(number) : .answer(number, fails ? .failure(.init(.unavailable, "")) : .success(value))
            }
            let wasActive = state.modelState == .active
            let effects = state.handle(input, random: 0.5)
            if wasActive, state.modelState == .inactive { running = nil }
            for effect in effects {
                switch effect {
                case .emit(let event, let receivers):
                    #expect(Set(receivers).isSubset(of: subscribers), "an event after unsubscribing")
                    #expect(!receivers.isEmpty)
                    for receiver in receivers {
                        guard case .updated(let new) = event else { continue }
                        #expect(known[receiver] != .some(new), "an update to the state that the subscriber knows")
                        known[receiver] = new
                        hasEnded = hasEnded || new.isTerminal
                    }
                case .poll(let number, _):
                    #expect(!hasEnded || running == nil)
                    #expect(!subscribers.isEmpty, "a request without a subscriber")
                    #expect(number > running?.number ?? 0, "two requests at once")
                    running = (number, true)
                case .wait(let number, let pause):
                    #expect(pause >= 0.5)
                    running = (number, false)
                case .cancel(let number):
                    #expect(running == nil || running?.number == number)
                    running = nil
                }
            }
            #expect(state.subscribers.count == subscribers.count)
            #expect((state.modelState == .active) == (!subscribers.isEmpty && state.snapshot?.isTerminal != true))
            if state.modelState == .inactive { running = nil }
        }
    }

    @Test("An answer that was overtaken by a stop and a start changes nothing")
    func lateAnswer() {
        var state = FollowState<Counter>(PollPolicy(interval: 5))
        _ = state.handle(.subscribe(1), random: 0)
        _ = state.handle(.unsubscribe(1), random: 0)
        _ = state.handle(.subscribe(2), random: 0)
        #expect(state.handle(.answer(1, .success(Counter(value: 1))), random: 0).isEmpty)
        #expect(state.snapshot == nil)
    }

    @Test("A subscriber who comes after the others have left is not told of a recovery from their failures")
    func formerFailures() {
        var state = FollowState<Counter>(PollPolicy(interval: 5))
        _ = state.handle(.subscribe(1), random: 0)
        _ = state.handle(.answer(1, .failure(FleetEngineError(.unavailable, ""))), random: 0)
        _ = state.handle(.unsubscribe(1), random: 0)
        guard case .poll(let number, _) = state.handle(.subscribe(2), random: 0).last else {
            Issue.record("no request")
            return
        }
        let effects = state.handle(.answer(number, .success(Counter(value: 1))), random: 0)
        #expect(!effects.contains { if case .emit(.recovered, _) = $0 { true } else { false } })
    }

    @Test("A subscriber of a trip that has ended gets its last state, without a request")
    func ended() {
        var state = FollowState<Counter>(PollPolicy(interval: 5))
        _ = state.handle(.subscribe(1), random: 0)
        _ = state.handle(.answer(1, .success(Counter(value: 9))), random: 0)
        let effects = state.handle(.subscribe(2), random: 0)
        #expect(effects.count == 2)
        for effect in effects {
            guard case .emit(_, let receivers) = effect else {
                Issue.record("\(effect)")
                continue
            }
            #expect(receivers == [2])
        }
        #expect(state.handle(.refresh, random: 0).isEmpty)
    }
}

@Suite("When the next request follows")
struct PollPolicyTests {
    @Test("The interval is at least five seconds, or zero", arguments: [0: 0, -1: 0, 1: 5, 5: 5, 60: 60, .nan: 0])
    func interval(setting: Double, interval: Double) {
        #expect(PollPolicy(interval: setting).interval == interval)
    }

    @Test(
        "Server and network errors back off as Google's clients do, then no faster than the interval",
        arguments: [
            FleetEngineError.Code.unavailable, .deadlineExceeded, .aborted, .cancelled, .unknown, .internal, .dataLoss,
        ]
    )
    func backoff(code: FleetEngineError.Code) {
        let policy = PollPolicy(interval: 5)
        let pauses = (1...12).map { policy.pause(after: FleetEngineError(code, ""), failures: $0, random: 1) ?? 0 }
        let expected = [1, 1.3, 1.69, 2.197, 5, 5, 5, 6.27, 8.16, 10, 10, 10]
        for (pause, expected) in zip(pauses, expected) { #expect(abs(pause - expected) < 0.01) }
        #expect(policy.pause(after: FleetEngineError(code, ""), failures: 1, random: 0) == 0.5)
        #expect(policy.pause(after: FleetEngineError(code, "", retryAfter: 20), failures: 1, random: 0) == 20)
    }

    @Test(
        "Errors that need action slow polling down",
        arguments: [
            (FleetEngineError.Code.invalidArgument, 30.0), (.notFound, 30), (.permissionDenied, 30),
            (.failedPrecondition, 30),
            (.unimplemented, 30), (.unauthenticated, 5), (.resourceExhausted, 10),
        ]
    )
    func slow(code: FleetEngineError.Code, pause: Double) {
        #expect(PollPolicy(interval: 5).pause(after: FleetEngineError(code, ""), failures: 1, random: 0) == pause)
        let longer = PollPolicy(interval: 60).pause(after: FleetEngineError(code, ""), failures: 1, random: 0) ?? 0
        #expect(longer >= 60)
    }
}
