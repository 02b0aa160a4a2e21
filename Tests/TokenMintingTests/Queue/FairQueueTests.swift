import TestRandomness
import Testing

@testable import TokenMinting

@Suite("The order of callers’ turns")
struct FairQueueTests {
    private func queue(_ callers: [String]) -> FairQueue {
        var queue = FairQueue()
        for (index, caller) in callers.enumerated() {
            queue.append(FairQueue.Request(id: Int64(index)), of: caller)
        }
        return queue
    }

    private func drain(_ queue: inout FairQueue) -> [Int64] {
        var ids: [Int64] = []
        while let (request, _) = queue.popFirst() { ids.append(request.id) }
        return ids
    }

    @Test("Callers take turns, and each caller's requests leave in the order in which they came")
    func callersTakeTurns() {
        var queue = queue(["a", "a", "a", "b", "b", "c"])
        #expect(drain(&queue) == [0, 3, 5, 1, 4, 2])
        #expect(queue.count == 0)
    }

    @Test("The newest request of the caller with most requests is removed")
    func theNewestOfTheLongestQueueIsRemoved() {
        var queue = queue(["a", "a", "a", "b", "b"])
        #expect(queue.removeNewest(preferring: "b")?.id == 2)
        // Both callers have two now.
        #expect(queue.removeNewest(preferring: "b")?.id == 4)
        #expect(queue.count == 3)
        #expect(drain(&queue) == [0, 3, 1])
    }

    @Test("A caller that may not have its turn keeps its place")
    func aTurnIsKept() {
        var queue = queue(["a", "b"])
        #expect(queue.popFirst { $0 == "b" }?.0.id == 1)
        #expect(queue.popFirst { $0 == "b" } == nil)
        #expect(drain(&queue) == [0])
    }

    @Test("Each request leaves exactly once, in its caller's order", arguments: 0..<20 as Range<UInt64>)
    func eachRequestLeavesOnce(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var queue = FairQueue()
        var waiting: [String: [Int64]] = [:]
        for id in 0..<2000 as Range<Int64> {
            let caller = "c\(Int.random(in: 0..<4, using: &random))"
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                queue.append(FairQueue.Request(id: id), of: caller)
                waiting[caller, default: []].append(id)
            case 5..<8:
                guard let (request, caller) = queue.popFirst() else { continue }
                #expect(waiting[caller]?.removeFirst() == request.id)
            case 8:
                let removed = waiting[caller]?.randomElement(using: &random) ?? -1
                #expect(queue.remove(removed, of: caller) == (removed >= 0))
                waiting[caller]?.removeAll { $0 == removed }
            default:
                let longest = waiting.values.map(\.count).max() ?? 0
                guard let removed = queue.removeNewest(preferring: "c0")?.id else { continue }
                let caller = waiting.first { $0.value.last == removed }?.key ?? ""
                #expect(waiting[caller]?.count == longest)
                waiting[caller]?.removeLast()
            }
            #expect(queue.count == waiting.values.reduce(0) { $0 + $1.count })
        }
        while let (request, caller) = queue.popFirst() { #expect(waiting[caller]?.removeFirst() == request.id) }
        #expect(waiting.values.allSatisfy { $0.isEmpty })
    }
}
