import TestRandomness
import Testing

@testable import ServiceConfiguration

@Suite struct IDPatternErrorTests {
    @Test(arguments: [
        ("", 1, "nothing to match"),
        ("a||b", 3, "nothing to match"),
        ("(a|)", 4, "nothing to match"),
        ("()", 2, "nothing to match"),
        (".*", 1, "write [.] for a dot"),
        ("trip-.*", 6, "a class such as [A-Za-z0-9-]"),
        ("^trip", 1, "leave ^ and $ out"),
        ("trip$", 5, "[$] is a dollar sign"),
        ("trip\\d", 5, "[0-9] for a digit"),
        ("*", 1, "has nothing before it"),
        ("a(+b)", 3, "[+] is a plus sign"),
        ("a|{2}", 3, "has nothing before it"),
        ("a]", 2, "a ] has no [ before it"),
        ("a}", 2, "a } has no { before it"),
        ("a)", 2, "write [)]"),
        ("b(a", 2, "write [(]"),
        ("((a)", 1, "write [(]"),
        ("a**", 3, "follows another"),
        ("a+?", 3, "follows another"),
        ("a{2}{3}", 5, "follows another"),
        ("a{", 3, "{n} or {n,m}"),
        ("a{}", 3, "{n} or {n,m}"),
        ("a{,3}", 3, "{n} or {n,m}"),
        ("a{3,}", 3, "{n} or {n,m}"),
        ("a{0}", 3, "and not 0"),
        ("a{0,0}", 3, "and not 0"),
        ("a{3,2}", 3, "from n to 64"),
        ("a{65}", 3, "from n to 64"),
        ("a{1,65}", 3, "from n to 64"),
        ("a{99999999999999999999}", 3, "from n to 64"),
        ("a{1 ,2}", 3, "{n} or {n,m}"),
        ("a{-1}", 3, "{n} or {n,m}"),
        ("[^a]", 2, "no negation"),
        ("a[]", 2, "close it with ]"),
        ("a[b", 2, "close it with ]"),
        ("a[b-", 2, "close it with ]"),
        ("[*]", 2, "leave it out of the class"),
        ("[a/]", 3, "leave it out of the class"),
        ("[[:alpha:]]", 2, "leave it out of the class"),
        ("[a\\]", 3, "leave it out of the class"),
        ("[z-a]", 2, "runs upwards within a-z"),
        ("[A-z]", 2, "runs upwards within a-z"),
        ("[+-9]", 2, "runs upwards within a-z"),
        ("[a-c-e]", 5, "put it first or last"),
        ("[ab-cd-]x-[.-0]", 12, "runs upwards within a-z"),
        ("trip 1", 5, "leave it out"),
        ("a*b,c", 4, "leave it out"),
        ("a%2A", 2, "leave it out"),
        ("caf\u{e9}", 4, "leave it out"),
        ("a\r\nb", 2, "leave it out"),
        ("a\u{0}", 2, "leave it out"),
        ("(((((((((a)))))))))", 9, "nested too deeply"),
        ("(a{64}){4}", 8, "too large"),
        ("((((a{60}){60}){60}){60}){60}", 11, "too large"),
        (String(repeating: "a", count: 255), 1, "too large"),
        (String(repeating: "a", count: 513), 513, "too long"),
    ])
    func saysWhereAndWhatToWriteInstead(text: String, position: Int, hint: String) throws {
        let error = try #require(throws: IDPatternError.self) { try IDPattern(text) }
        #expect(error.position == position)
        #expect(error.message.contains(hint), "\(error)")
        #expect(error.description == "at character \(position), \(error.message)")
    }

    @Test func takesWhatIsJustSmallEnough() throws {
        _ = try IDPattern(String(repeating: "a", count: 254))
        _ = try IDPattern("((((((((a))))))))")
        _ = try IDPattern("(a{63}){4}b{2}")
        _ = try IDPattern("[" + String(repeating: "a", count: 510) + "]")
    }

    @Test func readsOrRefusesAnything() {
        var generator = SeededGenerator(seed: 7)
        var outcomes = (read: 0, refused: 0)
        let alphabet = Array("ab19-_.+?*()[]{},|^$\\ \n\u{e9}".unicodeScalars)
        for _ in 0..<20_000 {
            var text = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0..<16, using: &generator) { text.append(generator.pick(alphabet)) }
            do {
                _ = try IDPattern(String(text))
                outcomes.read += 1
            } catch {
                #expect((1...text.count + 1).contains(error.position))
                outcomes.refused += 1
            }
        }
        #expect(outcomes.read > 100 && outcomes.refused > 100)
    }
}
