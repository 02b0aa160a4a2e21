import Foundation
import TestRandomness
import TestTime
import TestTraits
import Testing

@testable import ExpiringCache
@testable import Timing

@Suite("Timeouts", .watchdog)
struct DeadlinesTests {
    @Test("The queue returns due actions in order", arguments: 0..<20 as Range<UInt64>)
    func queueGivesOutWhatIsDueInOrder(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var queue = DeadlineQueue()
        let ran = Lock<[Int]>([])
        var expected: [UInt64: (due: Int64, number: Int)] = [:]
        var now: Int64 = 0
        for number in 0..<2_000 {
            let due = now + Int64.random(in: 0..<100, using: &random)
            expected[queue.add(due: due) { ran.withLock { $0.append(number) } }] = (due, number)
            if number % 3 == 0, let id = expected.keys.randomElement(using: &random) {
                let wasThere = queue.remove(id) != nil
                let isThere = queue.remove(id) != nil
                #expect(wasThere && !isThere)
                expected[id] = nil
            }
            guard number % 10 == 0 else { continue }
            now += 20
            ran.withLock { $0 = [] }
            for action in queue.takeDue(by: now) { action() }
            let taken = expected.filter { $0.value.due <= now }
            let inOrder = taken.sorted { ($0.value.due, $0.key) < ($1.value.due, $1.key) }
            #expect(ran.withLock { $0 } == inOrder.map { $0.value.number })
            for id in taken.keys { expected[id] = nil }
            #expect(queue.count == expected.count)
            if let next = queue.next { #expect(next > now) }
        }
    }

    @Test("Cancelled timeouts leave nothing behind", .tags(.b55))
    func cancelledTimeoutsLeaveNothingBehind() {
        final class Watched: Sendable {}
        let deadlines = Deadlines(now: AgeClock.system.continuous)
        weak var released: Watched?
        do {
            let watched = Watched()
            released = watched
            deadlines.schedule(3_600) { withExtendedLifetime(watched) {} }()
        }
        #expect(released == nil)
        var cancellations: [@Sendable () -> Void] = []
        for _ in 0..<100_000 {
            cancellations.append(deadlines.schedule(30) {})
            cancellations.append(deadlines.schedule(15) {})
            if cancellations.count > 1_000 {
                cancellations.forEach { $0() }
                cancellations = []
            }
            #expect(deadlines.size.held <= 4_000, "\(deadlines.size)")
        }
        cancellations.forEach { $0() }
        #expect(deadlines.size.running == 0)
        #expect(deadlines.size.held == 0)
    }

    @Test("Every timeout that is not cancelled runs")
    func everyTimeoutThatIsNotCancelledRuns() async throws {
        let deadlines = Deadlines(now: AgeClock.system.continuous)
        let ran = Journal<Int>()
        // The latest first, so that each is the earliest when it comes.
        for number in (0..<50).reversed() {
            _ = deadlines.schedule(Double(number) / 500) { ran.append(number) }
        }
        deadlines.schedule(0.01) { ran.append(-1) }()
        await ran.wait(for: 50)
        #expect(ran.entries.sorted() == Array(0..<50))
        #expect(deadlines.size.running == 0)
    }
}
