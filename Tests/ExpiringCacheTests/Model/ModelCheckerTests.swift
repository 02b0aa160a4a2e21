import Foundation
import Testing
import Timing

/// The machine, against all that can happen to it.
///
/// `EXPIRING_CACHE_MODEL_SECONDS` says how long each walk may take; by default they are short. A debug build is ten times slower,
/// and goes a step less far.
@Suite("The state machine in all sequences of events", .serialized)
struct ModelCheckerTests {
    /// A world to walk through, and how far a walk must come at least to prove something.
    struct Scene: CustomTestStringConvertible {
        let keys: Int
        let capacity: Int
        var demand: Int64 = 85
        let debug: (depth: Int, states: Int)
        let release: (depth: Int, states: Int)

        #if DEBUG
        var reach: (depth: Int, states: Int) { debug }
        #else
        var reach: (depth: Int, states: Int) { release }
        #endif
        var testDescription: String { "keys: \(keys), capacity: \(capacity), demand: \(demand)" }
    }

    private static let seconds = ProcessInfo.processInfo.environment["EXPIRING_CACHE_MODEL_SECONDS"].flatMap(Int.init)

    @Test(
        "All invariants hold in all sequences of events up to a depth",
        arguments: [
            // Room for both keys: nothing is forgotten, so all invariants are checked.
            Scene(keys: 2, capacity: 2, debug: (4, 9_700), release: (5, 60_000)),
            // Room for one: each new value pushes the other out.
            Scene(keys: 2, capacity: 1, debug: (4, 9_100), release: (5, 55_000)),
            // One key, since keys don't affect each other, and therefore deeper.
            Scene(keys: 1, capacity: 1, debug: (6, 36_900), release: (7, 100_000)),
            // The same with a caller who asks for more than the source has.
            Scene(keys: 1, capacity: 1, demand: 150, debug: (5, 10_400), release: (6, 35_000)),
        ]
    )
    func invariantsHold(_ scene: Scene) async {
        let checker = ModelChecker(
            initial: World(keys: scene.keys, capacity: scene.capacity, demand: scene.demand),
            deadline: .now + .seconds(Self.seconds ?? 600),
            maximumDepth: Self.seconds == nil ? scene.reach.depth : .max
        )
        let report = await onThread { checker.run() }
        print("\(scene): \(report.states) states, \(report.transitions) transitions, depth \(report.depth)")
        #expect(report.depth >= scene.reach.depth, "The walk was cut short")
        #expect(report.states >= scene.reach.states)
        if let (description, trace) = report.violation {
            Issue.record(
                "\(description) after \(trace.count) actions:\n\(trace.map { "  \($0)" }.joined(separator: "\n"))"
            )
        }
    }

    /// A checker that finds nothing proves something only if it finds what is there.
    @Test("A planted fault is found", arguments: Fault.allCases)
    func plantedFaultIsFound(_ fault: Fault) async throws {
        let checker = ModelChecker(
            initial: World(keys: fault.keys, capacity: fault.capacity, demand: fault.demand, fault: fault),
            deadline: .now + .seconds(600),
            maximumDepth: 7
        )
        let report = await onThread { checker.run() }
        let violation = try #require(report.violation)
        #expect(violation.description.hasPrefix(fault.invariant))
        print("\(fault): \(violation.description) after \(violation.trace)")
    }
}
