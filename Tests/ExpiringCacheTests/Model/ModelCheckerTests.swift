import Foundation
import Testing

/// The machine, against all that can happen to it.
///
/// `EXPIRING_CACHE_MODEL_SECONDS` says how long each walk may take; by default they are short.
@Suite(.serialized)
struct ModelCheckerTests {
    private static let seconds = ProcessInfo.processInfo.environment["EXPIRING_CACHE_MODEL_SECONDS"].flatMap(Int.init)

    @Test(
        arguments: [
            // Room for both keys: nothing is forgotten, so all invariants are checked.
            (keys: 2, capacity: 2, depth: 5),
            // Room for one: each new value pushes the other out.
            (keys: 2, capacity: 1, depth: 5),
            // One key, since keys don't affect each other, and therefore deeper.
            (keys: 1, capacity: 1, depth: 7),
        ]
    )
    func invariantsHold(_ scene: (keys: Int, capacity: Int, depth: Int)) async {
        let checker = ModelChecker(
            initial: World(keys: scene.keys, capacity: scene.capacity),
            deadline: .now + .seconds(Self.seconds ?? 600),
            maximumDepth: Self.seconds == nil ? scene.depth : .max
        )
        let report = await onThread { checker.run() }
        print("\(scene): \(report.states) states, \(report.transitions) transitions, depth \(report.depth)")
        if let (description, trace) = report.violation {
            Issue.record(
                "\(description) after \(trace.count) actions:\n\(trace.map { "  \($0)" }.joined(separator: "\n"))"
            )
        }
    }
}
