import TestRandomness
import Testing

@testable import TokenMinting

@Suite("Waiting, refusals and retries, on a simulated clock")
struct AdmissionQueueTests {
    private typealias Request = AdmissionSimulation.Request

    /// Requests at an even rate, with jitter.
    private func requests(
        _ perSecond: Double,
        seconds: Double,
        of caller: String,
        seed: UInt64 = 1
    ) -> [Request] {
        var random = SeededGenerator(seed: seed)
        return (0..<Int(perSecond * seconds)).map { number in
            let time = (Double(number) + Double.random(in: 0...1, using: &random)) * 1000 / perSecond
            return Request(atMilliseconds: time, of: caller)
        }
    }

    // MARK: Bursts

    @Test(
        "A burst of 1,000 requests at default bounds is served whole, whatever a signature was assumed to take",
        arguments: [
            (220_000, nil, 1, 100), (220_000, nil, 2, 100), (70_000, nil, 1, 100), (990_000, nil, 1, 100),
            (990_000, nil, 1, 500), (220_000, 50_000, 1, 200), (220_000, 440_000, 1, 200),
        ] as [(Int64, Int64?, Int, Double)]
    )
    func aBurstIsServed(duration: Int64, assumed: Int64?, parallel: Int, milliseconds: Double) {
        var simulation = AdmissionSimulation(parallel: parallel, duration: duration, assumed: assumed)
        let outcomes = simulation.run(
            (0..<1000).map { Request(atMilliseconds: Double($0) * milliseconds / 1000, of: "backend") }
        )
        #expect(outcomes.allSatisfy { $0.delay != nil })
        let work = max(1000 * duration / Int64(parallel), Int64(milliseconds * 1e6))
        #expect(simulation.end <= work + 2 * duration)
    }

    @Test(
        "A closed loop of 256 connections is never refused, however long it goes on",
        arguments: [220_000, 430_000, 630_000] as [Int64]
    )
    func aClosedLoopIsServed(duration: Int64) {
        var queue = AdmissionQueue(parallel: 1, interval: duration, now: 0)
        var (now, id, refused): (Int64, Int64, Int) = (0, 0, 0)
        func add() {
            id += 1
            if queue.add(id, of: "a", now: now, random: 0.5) != nil { refused += 1 }
        }
        for _ in 0..<256 { add() }
        for _ in 0..<20_000 {
            _ = queue.take(now: now)
            now += duration
            queue.finish("a")
            add()
        }
        #expect(refused == 0)
    }

    // MARK: Overload

    @Test(
        "In 30 seconds at twice the capacity all capacity is used, and 99 % of tokens come within 250 ms",
        arguments: [220_000, 430_000] as [Int64]
    )
    func overloadIsBounded(duration: Int64) {
        var simulation = AdmissionSimulation(duration: duration)
        let outcomes = simulation.run(requests(2e9 / Double(duration), seconds: 30, of: "a"))
        let delays = outcomes.compactMap(\.delay)
        #expect(Double(delays.count) >= 0.98 * 30e9 / Double(duration))
        #expect(delays.milliseconds(percentile: 99) <= 250)
        #expect(delays.milliseconds(percentile: 100) <= 500)
        #expect(outcomes.compactMap(\.refusal).allSatisfy { $0.cause == .queueDelay })
    }

    @Test("After an overload a burst is served again")
    func anOverloadEnds() {
        var simulation = AdmissionSimulation()
        let overload = requests(9_090, seconds: 3, of: "a")
        let burst = (0..<1000).map { Request(atMilliseconds: 3500 + Double($0) / 100, of: "b") }
        let outcomes = simulation.run(overload + burst).suffix(1000)
        #expect(outcomes.allSatisfy { $0.delay != nil })
    }

    @Test("A signer that takes none for longer than the bound is given no more")
    func aSignerThatHangsIsGivenNoMore() {
        var simulation = AdmissionSimulation(parallel: 4, duration: 10_000_000_000, assumed: 10_000_000)
        let outcomes = simulation.run((0..<400).map { Request(atMilliseconds: Double($0) * 10, of: "a") })
        // Four in progress; of the others as many wait as come before it is noticed.
        #expect(outcomes.prefix(24).allSatisfy { $0.delay != nil })
        #expect(outcomes.suffix(290).allSatisfy { $0.refusal != nil })
    }

    @Test("Requests may wait for places that were in use for long, while nothing waited for them")
    func busyPlacesAreNoReasonToRefuse() {
        var simulation = AdmissionSimulation(parallel: 4, duration: 10_000_000_000, assumed: 10_000_000)
        let outcomes = simulation.run((0..<12).map { Request(atMilliseconds: $0 < 4 ? 0 : 5000, of: "a") })
        #expect(outcomes.allSatisfy { $0.delay != nil })
    }

    @Test("The time in which nothing waits, because clients have gone, does not count as the signer's")
    func timeWithoutClientsIsNotTheSigners() {
        var queue = AdmissionQueue(parallel: 1, interval: 250_000, now: 0)
        for second in 0..<100 as Range<Int64> {
            let now = second * 1_000_000_000
            for id in [2 * second, 2 * second + 1] {
                _ = queue.add(id, of: "a", now: now, random: 0)
            }
            _ = queue.take(now: now)
            _ = queue.remove(2 * second + 1, of: "a", now: now)
            queue.finish("a")
        }
        _ = queue.add(1000, of: "a", now: 100_000_000_000, random: 0)
        #expect(queue.wait == 250_000)
    }

    @Test("As many as there are places may wait, however slow the signer is")
    func noPlaceIsIdle() {
        var simulation = AdmissionSimulation(parallel: 8, duration: 2_000_000_000)
        let outcomes = simulation.run((0..<100).map { _ in Request(atMilliseconds: 0, of: "a") })
        let delays = [Int64](repeating: 2_000_000_000, count: 8) + [Int64](repeating: 4_000_000_000, count: 8)
        #expect(outcomes.compactMap(\.delay) == delays)
        #expect(simulation.end == 4_000_000_000)
    }

    @Test("The number of requests in progress and waiting is bounded", arguments: [1, 2, 100])
    func theNumberIsBounded(count: Int) {
        let limits = AdmissionLimits(count: count)
        var simulation = AdmissionSimulation(limits: limits, parallel: 2)
        let outcomes = simulation.run((0..<1000).map { _ in Request(atMilliseconds: 0, of: "a") })
        #expect(outcomes.compactMap(\.delay).count == count)
        #expect(outcomes.compactMap(\.refusal).allSatisfy { $0.cause == .queueSize })
    }

    @Test("The service's own requests are not refused")
    func theServiceIsNotRefused() {
        var queue = AdmissionQueue(parallel: 1, interval: 1, now: 0)
        let limits = AdmissionLimits(wait: .zero, count: 0)
        #expect(queue.add(1, of: nil, within: limits, now: 0, random: 0) == nil)
        #expect(queue.take(now: 0)?.request.id == 1)
    }

    // MARK: Fairness

    @Test("A caller at five times the capacity costs a quiet one no refusal and no 20 ms")
    func aNoisyCallerHarmsNoOther() {
        var simulation = AdmissionSimulation()
        let noisy = requests(22_700, seconds: 10, of: "noisy")
        let all = (noisy + requests(10, seconds: 10, of: "quiet", seed: 2)).sorted { $0.arrival < $1.arrival }
        let outcomes = zip(all, simulation.run(all))
        let quiet = outcomes.filter { $0.0.caller == "quiet" }.map(\.1)
        #expect(quiet.count == 100)
        #expect(quiet.allSatisfy { $0.delay ?? .max <= 20_000_000 })
        #expect(outcomes.filter { $0.1.refusal != nil }.allSatisfy { $0.0.caller == "noisy" })
    }

    /// A queue with one place, in which a request of each caller waits.
    private func queue(of callers: [String], within limits: AdmissionLimits = AdmissionLimits()) -> AdmissionQueue {
        var queue = AdmissionQueue(parallel: 1, interval: 1000, now: 0)
        for (id, caller) in callers.enumerated() {
            #expect(queue.add(Int64(id), of: caller, within: limits, now: 0, random: 0) == nil)
        }
        return queue
    }

    /// Serves all that wait, and returns them in the order of their turns.
    private func drain(_ queue: inout AdmissionQueue, _ callers: [String]) -> [Int64] {
        var ids: [Int64] = []
        while let (request, _) = queue.take(now: 0) {
            ids.append(request.id)
            queue.finish(callers[Int(request.id)])
        }
        return ids
    }

    @Test("Callers take turns, and each caller's requests leave in the order in which they came")
    func callersTakeTurns() {
        let callers = ["a", "a", "a", "b", "b", "c"]
        var queue = queue(of: callers)
        #expect(drain(&queue, callers) == [0, 3, 5, 1, 4, 2])
        #expect(queue.count == 0)
    }

    @Test("The newest request of the caller with most requests is refused, of several such that of the one that comes")
    func theNewestOfTheLongestQueueIsRefused() {
        let callers = ["a", "a", "a", "b", "b"]
        let limits = AdmissionLimits(count: 5)
        var queue = queue(of: callers, within: limits)
        #expect(queue.add(5, of: "c", within: limits, now: 0, random: 0)?.id == 2)
        // Both have two now, and b would have three.
        #expect(queue.add(6, of: "b", within: limits, now: 0, random: 0)?.id == 6)
        #expect(queue.add(7, of: "c", within: limits, now: 0, random: 0)?.id == 7)
        #expect(drain(&queue, callers + ["c"]) == [0, 3, 5, 1, 4])
    }

    @Test("In an overload a request of another caller does not cost a caller its only one")
    func onlyRequestsAreKept() {
        var queue = AdmissionQueue(parallel: 1, interval: 100_000_000, now: 0)
        for id in 0..<10 as Range<Int64> { _ = queue.add(id, of: "caller-\(id)", now: 0, random: 0) }
        let refused = queue.refusals(10, of: "late", within: AdmissionLimits(), now: 200_000_000_000, random: 0)
        #expect(refused.map(\.id) == [10])
    }

    @Test("A caller alone uses half of shared slots, and leaves the others to callers that come")
    func slotsAreShared() {
        var queue = AdmissionQueue(parallel: 32, interval: 1000, sharesSlots: true, now: 0)
        var held: [String: Int] = [:]
        var callers: [String] = []
        for (caller, count) in [("a", 100), ("b", 100), ("c", 100), ("d", 1)] {
            for _ in 0..<count {
                let id = Int64(callers.count)
                callers.append(caller)
                #expect(queue.add(id, of: caller, now: 0, random: 0) == nil)
                while let taken = queue.take(now: 0) { held[callers[Int(taken.request.id)], default: 0] += 1 }
            }
        }
        #expect(held == ["a": 16, "b": 8, "c": 4, "d": 1])
    }

    @Test("A caller that holds its share of the slots keeps its turn")
    func aTurnIsKept() {
        var queue = AdmissionQueue(parallel: 2, interval: 1000, sharesSlots: true, now: 0)
        func add(_ id: Int64, of caller: String) -> Int64? {
            #expect(queue.add(id, of: caller, now: 0, random: 0) == nil)
            return queue.take(now: 0)?.request.id
        }
        #expect(add(0, of: "a") == 0 && add(1, of: "a") == nil)
        #expect(add(2, of: "b") == 2 && add(3, of: "b") == nil)
        queue.finish("a")
        #expect(queue.take(now: 0)?.request.id == 1)
    }

    // MARK: Retrying

    @Test("20,000 clients that come at once and retry as they are told are all served at the pace of the signer")
    func retriesAreSpread() {
        var simulation = AdmissionSimulation(seed: 7)
        let all = (0..<20_000).map { Request(atMilliseconds: Double($0) / 200, of: "a") }
        let outcomes = simulation.run(all, retrying: true)
        #expect(outcomes.count { $0.delay != nil } == 20_000)
        // 4.4 seconds of work; waiting for the next second of Retry-After leaves gaps.
        #expect(simulation.end < 12_000_000_000)
        let told = Set(outcomes.compactMap(\.refusal?.retryAfter))
        #expect(told.count >= 4, "Retries are spread over seconds.")
        #expect(simulation.requests.map(\.attempt).max() ?? 0 <= 4)
        #expect(outcomes.count { $0.refusal != nil } < 25_000)
    }

    @Test("A refused client retries after the queue and those refused before it, with jitter")
    func retryAfterFollowsTheQueue() {
        var queue = AdmissionQueue(parallel: 1, interval: 100_000_000, now: 0)
        let limits = AdmissionLimits(count: 100)
        var seconds: [Int] = []
        for id in 0..<50 {
            let refused = queue.add(Int64(id), of: "a", within: limits, now: 0, random: 0)
            if let refused { seconds.append(refused.refusal.retryAfter) }
            _ = queue.take(now: 0)
        }
        // Ten wait, for a second; each further one takes a tenth.
        #expect(seconds.first == 2 && seconds.last == 5)
        #expect(seconds == seconds.sorted())
        let jittered = queue.add(99, of: "a", within: limits, now: 0, random: 1)?.refusal.retryAfter
        #expect(jittered ?? 0 >= 7)
        // Much later all of them have been served.
        let later = queue.add(100, of: "a", within: limits, now: 60_000_000_000, random: 0)
        #expect(later?.refusal.retryAfter == 2)
        // However many are refused, half a minute and its jitter is the most.
        var most = 0
        for id in 101..<601 as Range<Int64> {
            let refused = queue.add(id, of: "a", within: limits, now: 60_000_000_000, random: 0)
            most = max(most, refused?.refusal.retryAfter ?? 0)
        }
        #expect(most == 30)
    }

    // MARK: Invariants

    /// The number of values in a value, in those, and so on.
    private func count(in value: Any) -> Int {
        Mirror(reflecting: value).children.reduce(1) { $0 + count(in: $1.value) }
    }

    @Test("Nothing of a request or its caller stays in memory")
    func nothingStays() {
        var queue = AdmissionQueue(parallel: 1, interval: 250_000, now: 0)
        var counts: Set<Int> = []
        for id in 0..<100 as Range<Int64> {
            let caller = "caller-\(id)"
            _ = queue.add(id, of: caller, now: 0, random: 0)
            _ = queue.take(now: 0)
            queue.finish(caller)
            counts.insert(count(in: queue))
        }
        #expect(counts.count == 1)
    }

    @Test("Each request leaves exactly once: served, refused, or abandoned", arguments: 0..<30 as Range<UInt64>)
    func eachRequestLeavesOnce(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var simulation = AdmissionSimulation(
            limits: AdmissionLimits(wait: .milliseconds(50), count: Int.random(in: 5...400, using: &random)),
            parallel: Int.random(in: 1...4, using: &random),
            duration: Int64.random(in: 100_000...3_000_000, using: &random),
            assumed: 1_000_000,
            sharesSlots: seed.isMultiple(of: 3),
            seed: seed
        )
        let requests = (0..<2000).map { _ in
            var request = Request(
                atMilliseconds: Double.random(in: 0...1000, using: &random),
                of: "c\(Int.random(in: 0..<4, using: &random))"
            )
            if Bool.random(using: &random) { request.patience = Int64.random(in: 0...40_000_000, using: &random) }
            return request
        }
        _ = simulation.run(requests)
        #expect(simulation.outcomes.allSatisfy { $0.count == 1 })
    }
}

@Suite("How long signatures take, as measured")
struct ServiceRateTests {
    @Test("The time from one request to the next is measured while others wait, and pauses do not count")
    func theRateIsMeasured() {
        var rate = ServiceRate(interval: 1_000_000)
        var now: Int64 = 0
        for round in 0..<400 {
            for _ in 0..<10 {
                rate.take(at: now)
                now += 300_000
            }
            // Nothing waits.
            rate.pause()
            now += 7_000_000_000
            if round == 5 { #expect(rate.interval == 1_000_000) }
        }
        #expect(abs(rate.interval - 300_000) < 1000)
    }

    @Test("A signer that is slower than assumed is soon known", arguments: [500_000, 5_000_000, 50_000_000] as [Int64])
    func aSlowSignerIsKnown(duration: Int64) {
        var rate = ServiceRate(interval: 250_000)
        for step in 0..<400 { rate.take(at: Int64(step) * duration) }
        #expect(rate.interval > duration * 9 / 10)
    }

    @Test("A pause of the machine raises the estimate by half at most", arguments: [1, 5, 60] as [Int64])
    func aPauseChangesLittle(seconds: Int64) {
        var rate = ServiceRate(interval: 250_000)
        var now: Int64 = 0
        var most: Int64 = 0
        for step in 0..<4000 {
            rate.take(at: now)
            now += step == 1000 ? seconds * 1_000_000_000 : 250_000
            most = max(most, rate.interval)
        }
        #expect(most <= 375_000)
        #expect(rate.interval < 260_000)
    }
}
