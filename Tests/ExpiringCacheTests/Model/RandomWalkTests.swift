import Foundation
import TestRandomness
import Testing

/// Long random walks through the model's world: deeper than the model checker gets.
///
/// `EXPIRING_CACHE_TRACES` sets their number; by default they are few.
struct RandomWalkTests {
    private static let walks =
        ProcessInfo.processInfo.environment["EXPIRING_CACHE_TRACES"].flatMap(UInt64.init) ?? 150

    @Test("All invariants hold on random walks, with room for both keys and for one", arguments: [1, 2])
    func randomWalk(capacity: Int) async {
        if let failure = await onThread({ Self.failure(capacity) }) { Issue.record("\(failure)") }
    }

    private static func failure(_ capacity: Int) -> String? {
        for seed in 0..<walks {
            var random = SeededGenerator(seed: seed)
            var world = World(keys: 2, capacity: capacity)
            var trace: [Action] = []
            for _ in 0..<200 {
                guard let action = world.actions.randomElement(using: &random) else { break }
                trace.append(action)
                if (try? world.apply(action)) == nil { break }
            }
            guard violation(trace, capacity) != nil else { continue }
            let shortest = shortened(trace, capacity)
            return "seed \(seed): \(violation(shortest, capacity) ?? "") after\n\(shortest)"
        }
        return nil
    }

    /// Repeats a walk, without the steps that are impossible there.
    private static func violation(_ trace: [Action], _ capacity: Int) -> String? {
        var world = World(keys: 2, capacity: capacity)
        do throws(Violation) {
            for action in trace where world.actions.contains(action) { try world.apply(action) }
            try world.checkRecovery()
            return nil
        } catch {
            return error.description
        }
    }

    /// Leaves out whatever a walk can do without and still fail: halves at first, single steps at last.
    private static func shortened(_ trace: [Action], _ capacity: Int) -> [Action] {
        var trace = trace
        var size = trace.count / 2
        while size > 0 {
            var start = 0
            while start < trace.count {
                var candidate = trace
                candidate.removeSubrange(start..<min(start + size, trace.count))
                if violation(candidate, capacity) != nil { trace = candidate } else { start += size }
            }
            size /= 2
        }
        return trace
    }
}
