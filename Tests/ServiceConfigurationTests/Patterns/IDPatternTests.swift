import FleetToken
import TestTraits
import Testing

@testable import ServiceConfiguration

@Suite struct IDPatternTests {
    @Test(arguments: [
        ("trip-1", ["trip-1"], ["trip-", "trip-11", "xtrip-1", "Trip-1"]),
        ("trip-[0-9]+", ["trip-0", "trip-0123456789"], ["trip-", "trip-a", "trip-1a"]),
        ("[A-Za-z0-9-]{3}", ["a-Z", "000"], ["ab", "abcd", "a_b"]),
        ("v[0-9]{1,3}", ["v1", "v123"], ["v", "v1234"]),
        ("(car|van)-[0-9]*", ["car-", "van-7"], ["bus-7", "carvan-7", "car7"]),
        ("a?b", ["b", "ab"], ["aab", "a"]),
        ("x(-[a-z]+){0,2}", ["x", "x-a", "x-a-b"], ["x-", "x-a-b-c"]),
        ("[.][+]?[$]", [".$", ".+$"], ["a$", "..$"]),
        ("[-a]+", ["-", "a-a"], ["b"]),
        ("[a-]+", ["-", "a-a"], ["b"]),
        ("_~-@=!", ["_~-@=!"], ["_"]),
        ("a|bc|d", ["a", "bc", "d"], ["b", "ad", "abc"]),
    ])
    func matchesWholeIDs(text: String, matching: [String], others: [String]) throws {
        let pattern = try IDPattern(text)
        for id in matching { #expect(pattern.matches(try ResourceID(id)), "\(id)") }
        for id in others { #expect(!pattern.matches(try ResourceID(id)), "\(id)") }
    }

    @Test(
        "A letter of another script does not match an ASCII one",
        .tags(.a5),
        arguments: ["\u{430}bc", "ab\u{441}", "\u{FF41}bc"]
    )
    func matchesBytes(id: String) throws {
        let id = try ResourceID(id, alphabet: .unicode)
        #expect(!(try IDPattern("[a-z]+").matches(id)))
        #expect(!(try IDPattern("[a-z]{3}").matches(id)))
        #expect(try IDPattern("[a-z]{3}").matches(try ResourceID("abc")))
    }

    /// All characters that an ID may have, as a class.
    private static let all = "[A-Za-z0-9._~@=+$!()-]"

    @Test(
        "A pattern that matches every ID is rejected",
        .tags(.a1),
        arguments: [
            "\(all)*", "\(all)+", "\(all){1,64}", "(\(all)+)?", "(\(all){1,3}|\(all){4,64})", "(\(all)|\(all)\(all))+",
            "([A-Za-z0-9_~@=+$!()-]|[.]\(all)?)+", "([A-Za-z]|[0-9._~@=+$!()-])+", "\(all)?\(all)*\(all)?",
            "[A-Za-z0-9_~@=+$!()-]\(all)*|[.]\(all){2,}|[.][A-Za-z0-9_~@=+$!()-]".replacing("{2,}", with: "{2,63}"),
        ]
    )
    func isNoWildcard(text: String) throws {
        let error = try #require(throws: IDPatternError.self) { try IDPattern(text) }
        #expect(error.description == "at character 1, it matches every ID: write any instead of a pattern")
    }

    @Test(arguments: [
        "[A-Za-z0-9-]+", "[A-Za-z0-9._~@=+$!()]+", "\(all){1,63}", "\(all){2,64}", "\(all){64}", "\(all)*a", "a\(all)*",
        "[A-Za-z0-9_~@=+$!()-]\(all)*",
    ])
    func mayMatchNearlyEveryID(text: String) throws {
        _ = try IDPattern(text)
    }

    @Test func equalTextsAreEqualPatterns() throws {
        #expect(try IDPattern("a+") == IDPattern("a+"))
        #expect(try IDPattern("a+") != IDPattern("a*a"))
    }
}
