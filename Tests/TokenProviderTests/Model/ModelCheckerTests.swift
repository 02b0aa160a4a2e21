import Foundation
import TestTools
import Testing

@testable import TokenProvider

/// Checks the cache after all sequences of events up to a length, and after long random ones.
@Suite(.watchdog)
struct ModelCheckerTests {
    /// `TOKEN_CACHE_DEPTH` and `TOKEN_CACHE_WALKS` walk further.
    private static func setting(_ name: String, _ standard: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? standard
    }

    /// Returns the violations of all sequences of a length.
    private func violations(from model: CacheModel, depth: Int) -> [String] {
        var ended = model
        ended.end()
        var found = ended.violations
        guard depth > 0, found.isEmpty else { return found }
        for action in model.actions {
            var next = model
            next.perform(action)
            found += violations(from: next, depth: depth - 1).map { "\(action), \($0)" }
            if !found.isEmpty { return found }
        }
        return found
    }

    @Test
    func `No sequence of events breaks a rule`() {
        #expect(violations(from: CacheModel(), depth: Self.setting("TOKEN_CACHE_DEPTH", 3)) == [])
    }

    @Test
    func `No random walk breaks a rule`() {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<Self.setting("TOKEN_CACHE_WALKS", 500) {
            var model = CacheModel()
            var walk: [CacheModel.Action] = []
            for _ in 0..<40 {
                guard let action = model.actions.randomElement(using: &generator) else { break }
                walk.append(action)
                model.perform(action)
            }
            model.end()
            #expect(model.violations == [], "\(walk)")
            if !model.violations.isEmpty { return }
        }
    }

    @Test(arguments: CacheModel.Fault.allCases)
    func `A planted fault is found`(fault: CacheModel.Fault) {
        var model = CacheModel()
        model.fault = fault
        #expect(violations(from: model, depth: 4) != [])
    }
}
