import Foundation
import TestTools
import Testing

@testable import TokenProvider

/// Walks through the states of the cache: all sequences of events up to a depth, and random ones beyond.
@Suite(.watchdog)
struct ModelCheckerTests {
    /// `TOKEN_CACHE_DEPTH` and `TOKEN_CACHE_WALKS` walk further.
    private static func setting(_ name: String, _ standard: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? standard
    }

    /// Returns the violations of all sequences of a length.
    private func violations(from world: World, depth: Int) -> [String] {
        var ended = world
        ended.end()
        var found = ended.violations
        guard depth > 0, found.isEmpty else { return found }
        for action in world.actions {
            var next = world
            next.perform(action)
            found += violations(from: next, depth: depth - 1).map { "\(action), \($0)" }
            if !found.isEmpty { return found }
        }
        return found
    }

    @Test
    func `No sequence of events breaks a rule`() {
        #expect(violations(from: World(), depth: Self.setting("TOKEN_CACHE_DEPTH", 3)) == [])
    }

    @Test
    func `No random walk breaks a rule`() {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<Self.setting("TOKEN_CACHE_WALKS", 500) {
            var world = World()
            var walk: [World.Action] = []
            for _ in 0..<40 {
                guard let action = world.actions.randomElement(using: &generator) else { break }
                walk.append(action)
                world.perform(action)
            }
            world.end()
            #expect(world.violations == [], "\(walk)")
            if !world.violations.isEmpty { return }
        }
    }

    @Test(arguments: World.Fault.allCases)
    func `A planted fault is found`(fault: World.Fault) {
        var world = World()
        world.fault = fault
        #expect(violations(from: world, depth: 3) != [])
    }
}
