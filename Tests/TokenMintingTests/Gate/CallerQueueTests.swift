import TestTools
import Testing

@testable import TokenMinting

@Suite(.watchdog)
struct CallerQueueTests {
    /// A queue whose operations take 250 µs.
    private func queue(slots: Int = 1, slotsPerCaller: Int = .max, maximumWaiting: Int = 10_000) -> CallerQueue {
        CallerQueue(
            slots: slots,
            slotsPerCaller: slotsPerCaller,
            maximumWaiting: maximumWaiting,
            duration: .microseconds(250)
        )
    }

    private func isRefused(_ verdict: CallerQueue.Verdict) -> Bool {
        if case .refused = verdict { true } else { false }
    }

    private func waits(_ verdict: CallerQueue.Verdict) -> Bool {
        if case .waits = verdict { true } else { false }
    }

    private func starts(_ verdict: CallerQueue.Verdict) -> Bool {
        if case .starts = verdict { true } else { false }
    }

    /// Finishes operations of callers until none starts, and returns those that started, in order.
    private func drain(_ queue: inout CallerQueue, callers: [Int64: String], running: [String]) -> [Int64] {
        var (order, running) = ([Int64](), running)
        while !running.isEmpty {
            guard let next = queue.finish(running.removeFirst(), after: .microseconds(250)) else { continue }
            order.append(next)
            running.append(callers[next] ?? "")
        }
        return order
    }

    @Test
    func `Callers take turns, and each caller's operations start in order`() {
        var queue = queue()
        #expect(starts(queue.add(0, of: "x")))
        let callers: [Int64: String] = [1: "a", 2: "a", 3: "a", 4: "b", 5: "b", 6: "c"]
        for id in callers.keys.sorted() { #expect(waits(queue.add(id, of: callers[id]))) }
        #expect(drain(&queue, callers: callers, running: ["x"]) == [1, 4, 6, 2, 5, 3])
        #expect(queue.queuedCount == 0)
    }

    @Test
    func `A burst of a thousand operations is served`() {
        var queue = queue()
        for id in 0..<1000 as Range<Int64> { #expect(!isRefused(queue.add(id, of: "a"))) }
    }

    @Test
    func `An operation that would wait too long is refused`() {
        var queue = queue()
        let verdicts = (0..<3000 as Range<Int64>).map { queue.add($0, of: "a") }
        // Half a second of 250 µs each.
        #expect(verdicts.count { !isRefused($0) } == 2002)
        guard case .refused(let wait) = verdicts[2999] else { return }
        #expect(wait == .microseconds(500_250))
    }

    @Test
    func `Many operations of one caller cause no refusal of another's`() {
        var queue = queue()
        for id in 0..<3000 as Range<Int64> { _ = queue.add(id, of: "noisy") }
        #expect(waits(queue.add(3000, of: "quiet")))
        #expect(queue.finish("noisy", after: .microseconds(250)) == 1)
        #expect(queue.finish("noisy", after: .microseconds(250)) == 3000)
    }

    @Test
    func `A caller may fill half of the queue`() {
        var queue = queue(maximumWaiting: 100)
        for id in 0..<200 as Range<Int64> { _ = queue.add(id, of: "a") }
        #expect(queue.queuedCount == 50)
        #expect(isRefused(queue.add(200, of: "a")))
        for id in 300..<400 as Range<Int64> { _ = queue.add(id, of: "b") }
        #expect(queue.queuedCount == 75)
        #expect(waits(queue.add(400, of: "c")))
    }

    @Test
    func `A caller alone uses its slots and leaves the others free`() {
        var queue = queue(slots: 4, slotsPerCaller: 2)
        let started = (0..<6 as Range<Int64>).map { starts(queue.add($0, of: "a")) }
        #expect(started == [true, true, false, false, false, false])
        #expect(starts(queue.add(6, of: "b")))
        #expect(queue.finish("b", after: .nanoseconds(1)) == nil)
        #expect(queue.finish("a", after: .nanoseconds(1)) == 2)
        #expect(queue.finish("a", after: .nanoseconds(1)) == 3)
    }

    @Test
    func `The wait of a caller that uses all its slots is bounded`() {
        var queue = queue(slots: 4, slotsPerCaller: 2)
        let verdicts = (0..<6000 as Range<Int64>).map { queue.add($0, of: "a") }
        #expect(verdicts.count { !isRefused($0) } == 2 + 4001)
        #expect(starts(queue.add(6000, of: "b")))
    }

    @Test
    func `An operation of the service itself is never refused`() {
        var queue = queue(maximumWaiting: 0)
        _ = queue.add(0, of: "a")
        #expect(isRefused(queue.add(1, of: "a")))
        #expect(waits(queue.add(2, of: nil)))
        #expect(queue.finish("a", after: .nanoseconds(1)) == 2)
    }

    @Test
    func `An operation that is removed does not start`() {
        var queue = queue()
        for id in 0..<4 as Range<Int64> { _ = queue.add(id, of: id < 3 ? "a" : "b") }
        for id in [1, 1, 0, 9] as [Int64] { queue.remove(id, of: "a") }
        #expect(queue.queuedCount == 2)
        #expect(queue.finish("a", after: .nanoseconds(1)) == 2)
        #expect(queue.finish("a", after: .nanoseconds(1)) == 3)
        #expect(queue.finish("b", after: .nanoseconds(1)) == nil)
    }

    @Test
    func `Operations that are removed free their places at once`() {
        var queue = queue(maximumWaiting: 10)
        _ = queue.add(0, of: "x")
        for id in 1...100 as ClosedRange<Int64> {
            let caller = "caller-\(id)"
            #expect(waits(queue.add(id, of: caller)))
            queue.remove(id, of: caller)
        }
        #expect(queue.queuedCount == 0)
        #expect(waits(queue.add(101, of: "caller-1")))
        #expect(queue.finish("x", after: .nanoseconds(1)) == 101)
        #expect(queue.finish("caller-1", after: .nanoseconds(1)) == nil)
        #expect(starts(queue.add(102, of: "y")))
    }

    @Test(arguments: [0.5, 5, 50])
    func `Operations that are slower than assumed are soon refused earlier`(milliseconds: Double) {
        let duration = Duration.milliseconds(milliseconds)
        var queue = queue()
        for id in 0..<200 as Range<Int64> {
            _ = queue.add(id, of: "a")
            _ = queue.finish("a", after: duration)
        }
        #expect((duration * 0.8...duration).contains(queue.duration))
    }

    @Test(arguments: [1, 5, 60] as [Int64])
    func `One slow operation changes the mean little`(seconds: Int64) {
        var queue = queue()
        _ = queue.add(0, of: "a")
        _ = queue.finish("a", after: .seconds(seconds))
        #expect((.microseconds(250) ... .microseconds(270)).contains(queue.duration))
    }

    @Test
    func `Failures that are quick do not make operations look quick, and those that are slow count`() {
        var queue = queue()
        func fail(after time: Duration) {
            for id in 0..<200 as Range<Int64> {
                _ = queue.add(id, of: "a")
                _ = queue.finish("a", after: time, succeeded: false)
            }
        }
        fail(after: .nanoseconds(10))
        #expect(queue.duration == .microseconds(250))
        fail(after: .seconds(5))
        #expect(queue.duration > .seconds(4))
    }

    @Test
    func `Operations that were very quick for a while are known to be slow again`() {
        var queue = queue()
        for (time, count) in [(Duration.zero, 1000), (.milliseconds(5), 400)] {
            for id in 0..<Int64(count) {
                _ = queue.add(id, of: "a")
                _ = queue.finish("a", after: time)
            }
        }
        #expect(queue.duration > .milliseconds(4))
    }

    @Test(arguments: 0..<30 as Range<UInt64>)
    func `Each operation starts or is removed exactly once`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let slots = Int.random(in: 1...4, using: &random)
        let own = seed.isMultiple(of: 3) ? max(1, slots / 2) : .max
        var queue = queue(slots: slots, slotsPerCaller: own, maximumWaiting: 20)
        var callers: [Int64: String] = [:]
        var (waiting, running, left) = (Set<Int64>(), [Int64](), Set<Int64>())
        for id in 0..<2000 as Range<Int64> {
            switch Int.random(in: 0..<4, using: &random) {
            case 0...1:
                callers[id] = "caller-\(Int.random(in: 0..<5, using: &random))"
                switch queue.add(id, of: callers[id]) {
                case .starts: running.append(id)
                case .waits: waiting.insert(id)
                case .refused: left.insert(id)
                }
            case 2:
                guard let gone = waiting.randomElement(using: &random) else { continue }
                queue.remove(gone, of: callers[gone])
                waiting.remove(gone)
                left.insert(gone)
            default:
                guard !running.isEmpty else { continue }
                let done = running.remove(at: Int.random(in: 0..<running.count, using: &random))
                left.insert(done)
                guard let next = queue.finish(callers[done], after: .microseconds(1)) else { continue }
                #expect(waiting.remove(next) != nil)
                running.append(next)
            }
            #expect(running.count <= slots && queue.queuedCount == waiting.count)
            #expect(Dictionary(grouping: running) { callers[$0] }.values.allSatisfy { $0.count <= own })
        }
        while !running.isEmpty {
            let done = running.removeFirst()
            left.insert(done)
            if let next = queue.finish(callers[done], after: .microseconds(1)) { running.append(next) }
        }
        #expect(left.count == callers.count)
        #expect(queue.queuedCount == 0)
    }
}
