import Foundation
import TestRandomness
import Testing

/// The machine against the plain stories of its keys, through long random traces.
///
/// `EXPIRING_CACHE_TRACES` says how many; by default they are few.
struct RandomTraceTests {
    private static let keys = 2
    private static let traces =
        ProcessInfo.processInfo.environment["EXPIRING_CACHE_TRACES"].flatMap(UInt64.init) ?? 1_000

    @Test func machineDoesWhatTheStoriesTell() async {
        if let failure = await onThread({ Self.failure() }) { Issue.record("\(failure)") }
    }

    private static func failure() -> String? {
        for seed in 0..<traces {
            var random = SeededGenerator(seed: seed)
            let steps = (0..<150).map { _ in Step.random(keys: keys, using: &random) }
            guard let difference = difference(steps) else { continue }
            let shortest = shortened(steps)
            return "seed \(seed): \(self.difference(shortest) ?? difference) after\n\(shortest)"
        }
        return nil
    }

    private static func difference(_ steps: [Step]) -> String? {
        var trial = Trial(keys: keys)
        for step in steps {
            if let difference = trial.take(step) { return difference }
        }
        return nil
    }

    /// Leaves out whatever a trace can do without and still fail: halves at first, single steps at last.
    private static func shortened(_ steps: [Step]) -> [Step] {
        var steps = steps
        var size = steps.count / 2
        while size > 0 {
            var start = 0
            while start < steps.count {
                var candidate = steps
                candidate.removeSubrange(start..<min(start + size, steps.count))
                if difference(candidate) != nil { steps = candidate } else { start += size }
            }
            size /= 2
        }
        return steps
    }
}
