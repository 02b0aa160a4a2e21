import FleetToken
import ServiceSupport
import TestTools
import Testing

@testable import TokenIssuance

@Suite struct IDPatternTests {
    @Test(
        arguments: [
            ("trip-1", ["trip-1"], ["trip-", "trip-11", "xtrip-1", "Trip-1"]),
            ("trip-*", ["trip-", "trip-0", "trip-a-9"], ["trip", "xtrip-1", "TRIP-1"]),
            ("v??", ["v12", "v.-"], ["v1", "v123", "v"]),
            ("*-7", ["-7", "car-7", "7-7-7"], ["car-70", "7"]),
            ("a*b*c", ["abc", "abbc", "a-b-c", "abcbc"], ["ac", "ab", "abcd"]),
            ("a**?", ["ab", "abc"], ["a", "b"]),
            ("*.~=!_@-+", [".~=!_@-+", "a.~=!_@-+"], [".~=!_@-"]),
        ]
    )
    func `A pattern matches whole IDs`(text: String, matching: [String], others: [String]) throws {
        let pattern = try IDPattern(text)
        for id in matching { #expect(pattern.matches(try ResourceID(id)), "\(id)") }
        for id in others { #expect(!pattern.matches(try ResourceID(id)), "\(id)") }
    }

    @Test(arguments: ["\u{430}bc", "ab\u{441}", "\u{FF41}bc"])
    func `A letter of another script does not match an ASCII one`(id: String) throws {
        let id = try ResourceID(id)
        #expect(!(try IDPattern("abc").matches(id)))
        #expect(!(try IDPattern("a*c").matches(id)))
        // One character is one scalar, however many bytes it has.
        #expect(try IDPattern("???").matches(id))
        #expect(!(try IDPattern("????").matches(id)))
    }

    @Test
    func `Canonical equivalence and grapheme clusters do not count`() throws {
        let pattern = try IDPattern("caf\u{e9}-*")
        #expect(pattern.match("caf\u{e9}-1".unicodeScalars).isMatch)
        #expect(!pattern.match("cafe\u{301}-1".unicodeScalars).isMatch)
        let two = try IDPattern("a??")
        #expect(two.match("a\r\n".unicodeScalars).isMatch && two.match("ae\u{301}".unicodeScalars).isMatch)
        #expect(!(try IDPattern("?")).match("\r\n".unicodeScalars).isMatch)
        #expect(!(try IDPattern("K")).match("\u{212A}".unicodeScalars).isMatch)
    }

    @Test(arguments: ["*", "**", "?*", "*?", "*?*"])
    func `A pattern that matches every ID is rejected`(text: String) throws {
        let error = try #require(throws: OperatorError.self) { try IDPattern(text) }
        #expect(error.description == "matches every ID. Write any instead of a pattern.")
    }

    @Test(arguments: [
        "trip-[0-9]+", "trip-[A-Za-z0-9-]{1,59}", "^trip-.*$", "v\\d{3}-a", "trip-.+", "a+[.]b?", "v-[", "a{2}",
        "(car|van)-*", "a|b", "[a-z]+", ".*", "a$", "a)", "caf\u{e9}[a]",
    ])
    func `A regular expression is refused`(text: String) throws {
        let error = try #require(throws: OperatorError.self) { try IDPattern(text) }
        #expect(error.description.hasPrefix("is a regular expression; patterns are globs"))
    }

    @Test(
        arguments: [
            ("trip\u{200D}1", "has a character that no ID has."), ("cafe\u{301}", "matches no ID."),
            ("a\r\nb", "has a character that no ID has."), ("a,b", "has a character that no ID has."),
            ("a/*", "has a character that no ID has."),
            (String(repeating: "a?", count: 33), "is longer than an ID can be"),
        ]
    )
    func `A pattern that matches no ID is refused`(text: String, problem: String) throws {
        let error = try #require(throws: OperatorError.self) { try IDPattern(text) }
        #expect(error.description.hasPrefix(problem), "\(error)")
        #expect((try? IDPattern("e\u{301}*")) == nil)
    }

    @Test(arguments: UInt64(1)...8)
    func `Random patterns and texts match as in another implementation`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var outcomes = (matched: 0, other: 0)
        let scalars = Array("aab\u{e9}1-\u{10428}".unicodeScalars)
        for _ in 0..<2000 {
            let parts = (0..<Int.random(in: 1..<8, using: &generator)).map { _ in
                generator.chance(0.4) ? generator.pick(["*", "?"]) : generator.pick(scalars)
            }
            guard let pattern = try? IDPattern(Self.text(parts)) else { continue }
            for _ in 0..<10 {
                // Also what is no ID: marks and line breaks that are one `Character` with what is before them.
                let traps = scalars + ["\u{301}", "\r", "\n", "e"]
                let id = (0..<Int.random(in: 0..<9, using: &generator)).map { _ in
                    generator.chance(0.1) ? generator.pick(traps) : generator.pick(scalars)
                }
                let expected = Self.matches(parts[...], id[...])
                #expect(pattern.match(Self.text(id).unicodeScalars).isMatch == expected, "\(parts) and \(id)")
                if expected { outcomes.matched += 1 } else { outcomes.other += 1 }
            }
        }
        #expect(outcomes.matched > 300 && outcomes.other > 300)
    }

    private static func text(_ scalars: [Unicode.Scalar]) -> String {
        String(String.UnicodeScalarView(scalars))
    }

    /// The definition, tried in every way.
    private static func matches(_ glob: ArraySlice<Unicode.Scalar>, _ text: ArraySlice<Unicode.Scalar>) -> Bool {
        guard let first = glob.first else { return text.isEmpty }
        let rest = glob.dropFirst()
        if first == "*" { return matches(rest, text) || !text.isEmpty && matches(glob, text.dropFirst()) }
        return (first == "?" || first == text.first) && !text.isEmpty && matches(rest, text.dropFirst())
    }

    @Test(
        arguments: [
            "a*a*a*a*a*a*a*b", "*a?a?a?a?a?a?b*", "a" + String(repeating: "*a", count: 63), "*aaaaaaaaaaaaaaaab",
        ]
    )
    func `A match takes no more steps than characters times parts`(text: String) throws {
        let pattern = try IDPattern(text)
        for length in [16, 32, 64] {
            let steps = pattern.match(String(repeating: "a", count: length).unicodeScalars).steps
            #expect(steps > 0 && steps <= length * text.utf8.count)
        }
        #expect(try IDPattern("a*").match("b".unicodeScalars).steps == 1)
    }
}
