import TestRandomness
import Testing
import TokenMinting

@testable import TokenIssuance

/// The order in which callers and their subjects take turns.
struct FairQueueTests {
    private func queue(_ flows: [(caller: String, subject: String)], cost: Int = 1) -> FairQueue {
        var queue = FairQueue()
        for (index, flow) in flows.enumerated() {
            let flow = Flow(caller: flow.caller, subject: flow.subject)
            queue.append(FairQueue.Request(id: Int64(index), flow: flow, cost: cost))
        }
        return queue
    }

    private func drain(_ queue: inout FairQueue) -> [Int64] {
        var ids: [Int64] = []
        while let request = queue.popFirst() { ids.append(request.id) }
        return ids
    }

    @Test("Elements of one subject leave in the order in which they came")
    func oneSubjectIsFirstInFirstOut() {
        var queue = queue((0..<5).map { _ in ("a", "x") })
        #expect(drain(&queue) == [0, 1, 2, 3, 4])
        #expect(queue.isEmpty && queue.cost == 0)
    }

    @Test("Callers take turns, however many elements each has")
    func callersTakeTurns() {
        var queue = queue([("a", "x"), ("a", "x"), ("a", "x"), ("b", "y"), ("b", "y"), ("c", "z")])
        #expect(drain(&queue) == [0, 3, 5, 1, 4, 2])
    }

    @Test("Subjects of a caller take turns within its turns")
    func subjectsTakeTurns() {
        var queue = queue([("a", "x"), ("a", "x"), ("a", "x"), ("a", "y"), ("b", "z"), ("a", "w")])
        #expect(drain(&queue) == [0, 4, 3, 5, 1, 2])
    }

    @Test("Subjects that come during a round do not pass one that waits for its second turn")
    func newcomersDoNotPass() {
        var queue = queue([("a", "x"), ("a", "x"), ("a", "y")])
        #expect(queue.popFirst()?.id == 0)
        for (index, subject) in ["v", "w", "x"].enumerated() {
            queue.append(FairQueue.Request(id: Int64(10 + index), flow: Flow(caller: "a", subject: subject), cost: 1))
        }
        #expect(drain(&queue) == [2, 1, 10, 11, 12])
    }

    @Test("A caller whose elements cost seven times as much has a seventh of the turns")
    func costsCount() {
        var queue = FairQueue()
        let (expensive, usual) = (Flow(caller: "a", subject: ""), Flow(caller: "b", subject: ""))
        for id in 0..<4 as Range<Int64> { queue.append(FairQueue.Request(id: id, flow: expensive, cost: 7)) }
        for id in 10..<31 as Range<Int64> { queue.append(FairQueue.Request(id: id, flow: usual, cost: 1)) }
        #expect(queue.cost == 49)
        let order = drain(&queue).prefix(16)
        #expect((1...2).contains(order.count { $0 < 10 }))
    }

    @Test("The newest element of the subject with the longest queue is removed, of the caller with the longest queue")
    func theNewestOfTheLongestQueueIsRemoved() {
        var queue = queue([("a", "x"), ("a", "y"), ("a", "y"), ("a", "y"), ("a", "x"), ("b", "z"), ("b", "z")])
        #expect(queue.removeNewest(preferring: "b")?.id == 3)
        // Both subjects have two now: the newest of all.
        #expect(queue.removeNewest(preferring: "b")?.id == 4)
        #expect(queue.removeNewest(preferring: "b")?.id == 2)
        // Both callers have two now.
        #expect(queue.removeNewest(preferring: "b")?.id == 6)
        #expect(queue.count == 3)
        #expect(drain(&queue) == [0, 5, 1])
    }

    @Test("An element that is removed has no turn, and its neighbors keep theirs")
    func removedElementsHaveNoTurn() {
        var queue = queue((0..<6).map { ("a", $0 < 3 ? "x" : "y") })
        for id in [1, 3] as [Int64] { #expect(queue.remove(id)?.id == id) }
        #expect(queue.remove(1) == nil && queue.remove(99) == nil)
        #expect(drain(&queue) == [0, 4, 2, 5])
    }

    @Test("The newest element that is removed leaves its subject's turn to the next one")
    func removedElementsCostNoTurn() {
        var queue = queue([("a", "x"), ("a", "x"), ("a", "y"), ("a", "y"), ("a", "y")])
        #expect(queue.remove(1)?.id == 1)
        queue.append(FairQueue.Request(id: 5, flow: Flow(caller: "a", subject: "x"), cost: 1))
        #expect(drain(&queue) == [0, 2, 3, 5, 4])
    }

    @Test("A batch takes what fits, by turns, and its caller pays with later turns")
    func batchesArePaidFor() {
        var queue = FairQueue()
        for id in 0..<8 as Range<Int64> {
            let flow = Flow(caller: id < 6 ? "a" : "b", subject: "x")
            queue.append(FairQueue.Request(id: id, flow: flow, cost: 1, batch: id == 7 ? 2 : 1))
        }
        #expect(queue.popFirst()?.id == 0)
        // b has not spent anything, so its element comes first.
        #expect(queue.popNext(fitting: 1)?.id == 6)
        #expect(queue.popNext(fitting: 1)?.id == 1)
        #expect(queue.popNext(fitting: 1)?.id == 2)
        #expect(queue.popNext(fitting: 3) == nil)
        #expect(queue.popFirst()?.id == 7)
        #expect(drain(&queue) == [3, 4, 5])
    }

    @Test("A caller that may not have its turn keeps its place")
    func aTurnIsKept() {
        var queue = queue([("a", "x"), ("b", "y")])
        #expect(queue.popFirst { $0 == "b" }?.id == 1)
        #expect(queue.popFirst { $0 == "b" } == nil)
        #expect(drain(&queue) == [0])
    }

    /// Whatever happens, each element leaves exactly once, costs add up, and a subject's elements keep their order.
    @Test("Each element leaves exactly once, in its subject's order", arguments: 0..<40 as Range<UInt64>)
    func eachElementLeavesOnce(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var queue = FairQueue()
        var waiting: [Int64: (flow: Flow, cost: Int)] = [:]
        var lastServed: [Flow: Int64] = [:]
        var next: Int64 = 0
        for _ in 0..<3000 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                let flow = Flow(
                    caller: "c\(Int.random(in: 0..<3, using: &random))",
                    subject: "s\(Int.random(in: 0..<4, using: &random))"
                )
                let cost = Int.random(in: 0..<8, using: &random) == 0 ? 7 : 1
                queue.append(FairQueue.Request(id: next, flow: flow, cost: cost))
                waiting[next] = (flow, cost)
                next += 1
            case 5..<8:
                let element = queue.popFirst()?.id
                #expect((element == nil) == waiting.isEmpty)
                guard let element, let (flow, _) = waiting.removeValue(forKey: element) else { continue }
                #expect(lastServed[flow] ?? -1 < element)
                lastServed[flow] = element
            case 8:
                let id = Int64.random(in: 0...next, using: &random)
                #expect((queue.remove(id) != nil) == (waiting.removeValue(forKey: id) != nil))
            default:
                let costs = Dictionary(grouping: waiting.values) { $0.flow.caller }.mapValues {
                    $0.reduce(0) { $0 + $1.cost }
                }
                guard let removed = queue.removeNewest(preferring: "c0")?.id else { continue }
                let flow = waiting.removeValue(forKey: removed)?.flow
                #expect(costs[flow?.caller ?? ""] == costs.values.max())
                #expect(waiting.filter { $0.value.flow == flow }.keys.max() ?? -1 < removed)
            }
            #expect(queue.count == waiting.count)
            #expect(queue.cost == waiting.values.reduce(0) { $0 + $1.cost })
        }
        while let request = queue.popFirst() { #expect(waiting.removeValue(forKey: request.id) != nil) }
        #expect(waiting.isEmpty && queue.isEmpty)
    }
}
