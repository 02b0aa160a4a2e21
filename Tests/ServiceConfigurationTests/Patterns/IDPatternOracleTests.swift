import FleetToken
import Foundation
import TestRandomness
import Testing

@testable import ServiceConfiguration

/// The pattern language is a part of every regular-expression dialect, so another engine must agree with ours.
@Suite struct IDPatternOracleTests {
    @Test(arguments: UInt64(1)...8)
    func agreesWithAnotherEngineOnRandomPatterns(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var outcomes = (matched: 0, other: 0)
        for _ in 0..<300 {
            let text = generator.pattern(depth: 3)
            guard let pattern = try? IDPattern(text) else { continue }
            let oracle = try NSRegularExpression(pattern: "\\A(?:\(text))\\z")
            for _ in 0..<20 {
                let id = generator.id()
                let expected = oracle.firstMatch(in: id, range: NSRange(location: 0, length: id.utf16.count)) != nil
                #expect(pattern.matches(try ResourceID(id)) == expected, "\(text) and \(id)")
                if expected { outcomes.matched += 1 } else { outcomes.other += 1 }
            }
        }
        #expect(outcomes.matched > 300 && outcomes.other > 300)
    }

    /// Whatever the parser takes, the other engine takes too and understands in the same way.
    @Test func agreesWithAnotherEngineOnNoiseThatItTakes() throws {
        var generator = SeededGenerator(seed: 99)
        var taken = 0
        for _ in 0..<40_000 {
            let text = (0..<Int.random(in: 1..<10, using: &generator)).map { _ in
                generator.pick("aab0-+?*()[]{},12|~@$.!=")
            }
            .reduce(into: "") { $0.append($1) }
            guard let pattern = try? IDPattern(text) else { continue }
            taken += 1
            let oracle = try NSRegularExpression(pattern: "\\A(?:\(text))\\z")
            for _ in 0..<5 {
                let id = generator.id()
                let expected = oracle.firstMatch(in: id, range: NSRange(location: 0, length: id.utf16.count)) != nil
                #expect(pattern.matches(try ResourceID(id)) == expected, "\(text) and \(id)")
            }
        }
        #expect(taken > 500)
    }

    @Test func knowsWhenEverythingIsAccepted() throws {
        var generator = SeededGenerator(seed: 5)
        let bytes = Array("ab".utf8)
        let texts = (1...4).flatMap { length in Self.texts(of: bytes, length: length) }
        var outcomes = (all: 0, some: 0)
        for _ in 0..<4000 {
            let text = generator.pattern(depth: 3, literals: "ab", classes: ["[ab]", "[ab]", "[a-b]", "[b]"])
            let automaton = PositionAutomaton(try IDPatternParser.parse(text))
            let expected = texts.allSatisfy { automaton.run($0).isAccepted }
            #expect(automaton.acceptsAll(of: bytes, upTo: 4) == expected, "\(text)")
            if expected { outcomes.all += 1 } else { outcomes.some += 1 }
        }
        #expect(outcomes.all > 100 && outcomes.some > 100)
    }

    private static func texts(of bytes: [UInt8], length: Int) -> [[UInt8]] {
        guard length > 0 else { return [[]] }
        return texts(of: bytes, length: length - 1).flatMap { text in bytes.map { text + [$0] } }
    }
}

extension SeededGenerator {
    fileprivate mutating func pattern(
        depth: Int,
        literals: String = "aabc0-",
        classes: [String] = ["[ab]", "[a-c0-9]", "[-a]", "[A-Za-z0-9-]", "[.]"]
    ) -> String {
        var text = ""
        for part in 0..<Int.random(in: 1...3, using: &self) {
            if part > 0, chance(0.2) { text += "|" }
            if depth > 0, chance(0.3) {
                text += "(\(pattern(depth: depth - 1, literals: literals, classes: classes)))"
            } else {
                text += chance(0.5) ? pick(classes) : String(pick(literals))
            }
            if chance(0.5) { text += pick(["?", "*", "+", "{2}", "{0,2}", "{1,3}"]) }
        }
        return text
    }

    /// A short ID out of few characters, so that patterns have a chance.
    fileprivate mutating func id() -> String {
        String((0..<Int.random(in: 1..<8, using: &self)).map { _ in pick("aaabbc0-.") })
            .replacing(/^\.{1,2}$/, with: "a")
    }
}
