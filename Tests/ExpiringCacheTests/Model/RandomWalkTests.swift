import Foundation
import TestRandomness
import Testing

/// The machine, in long walks through its world where the model checker takes all short ones.
///
/// `EXPIRING_CACHE_TRACES` says how many; by default they are few.
struct RandomWalkTests {
    private static let walks =
        ProcessInfo.processInfo.environment["EXPIRING_CACHE_TRACES"].flatMap(UInt64.init) ?? 300

    @Test("All invariants hold after each of 150 random actions")
    func invariantsHold() async {
        if let failure = await onThread({ Self.failure() }) { Issue.record("\(failure)") }
    }

    private static func failure() -> String? {
        for seed in 0..<walks {
            var random = SeededGenerator(seed: seed)
            var world = World(keys: 2, capacity: 2, demand: seed % 2 == 0 ? 85 : 150)
            var trace: [Action] = []
            do throws(Violation) {
                for _ in 0..<150 {
                    guard let action = world.actions.randomElement(using: &random) else { break }
                    trace.append(action)
                    try world.apply(action)
                }
                try world.checkRecovery()
            } catch {
                return "seed \(seed): \(error.description) after\n\(trace)"
            }
        }
        return nil
    }
}
