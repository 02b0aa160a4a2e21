import FleetToken
import TestTraits
import Testing

@testable import ServiceConfiguration

/// What a match costs, counted and not timed.
@Suite struct IDPatternWorkTests {
    /// Patterns that take engines which go back exponential or cubic time.
    private static let riddles = [
        "(a*)*b", "(a+)+b", "(a|a)*b", "(a|aa)+b", "((a*)*)*b", "(a?){30}a{30}b", "(a?){63}b", "(a{1,8}){1,8}b",
        "(([a-z])+[.])+([A-Z]([a-z])+)+", "[a-z]*[a-z]*[a-z]*[a-z]*[a-z]*[a-z]*b", "((a|b|c)?(a|b|c)?(a|b|c)?){20}0",
    ]

    @Test("A match takes no more steps than bytes times positions", .tags(.a6), arguments: riddles)
    func isLinear(text: String) throws {
        let syntax = try IDPatternParser.parse(text)
        let automaton = PositionAutomaton(syntax)
        var previous = 0
        for length in [16, 32, 64] {
            let run = automaton.run(repeatElement(UInt8(ascii: "a"), count: length))
            #expect(!run.isAccepted)
            #expect(run.steps > 0)
            #expect(run.steps <= length * syntax.size)
            #expect(run.steps - previous <= length * syntax.size)
            previous = run.steps
        }
    }

    @Test func largestPatternOnLongestIDHasItsBound() throws {
        let automaton = PositionAutomaton(
            try IDPatternParser.parse("([a-z]?){63}([a-z]?){63}([a-z]?){63}([a-z]?){63}[0-9]")
        )
        let run = automaton.run(repeatElement(UInt8(ascii: "a"), count: ResourceID.maximumScalars))
        #expect(run.steps <= ResourceID.maximumScalars * PositionSet.capacity)
        #expect(run.steps > ResourceID.maximumScalars * 100)
    }

    @Test func endsAtTheFirstByteThatCannotMatch() throws {
        let automaton = PositionAutomaton(try IDPatternParser.parse("a+"))
        #expect(automaton.run("b".utf8).steps == 0)
        #expect(automaton.run("aab".utf8 + Array(repeating: UInt8(ascii: "a"), count: 200)).steps == 2)
    }
}
