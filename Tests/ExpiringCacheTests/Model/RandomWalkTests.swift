import Foundation
import TestRandomness
import Testing

/// Long random walks through the model's world: deeper than the model checker gets.
///
/// `EXPIRING_CACHE_TRACES` sets their number; by default they are few.
@Suite("The state machine on long random walks")
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
            do throws(Violation) {
                for _ in 0..<200 {
                    guard let action = world.actions.randomElement(using: &random) else { break }
                    trace.append(action)
                    try world.apply(action)
                }
                try world.checkRecovery()
            } catch {
                return "seed \(seed): \(error) after\n\(trace)"
            }
        }
        return nil
    }
}
