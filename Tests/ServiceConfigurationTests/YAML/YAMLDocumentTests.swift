import TestSupport
import Testing

@testable import ServiceConfiguration

/// What YAML can say beyond what a configuration needs: it is read as the standard has it, or refused.
@Suite struct YAMLDocumentTests {
    private func root(_ text: String) throws -> YAMLNode? {
        try Array(text.utf8).withUnsafeBufferPointer { try YAMLDocument.root(of: $0) }
    }

    /// The text in one line: scalars with their types, and where each value begins.
    private func outline(_ node: YAMLNode) -> String {
        let anchor = node.hasAnchor ? "&" : ""
        switch node.content {
        case .scalar(let text, let type): return "\(node.line)\(anchor) \(type) \(text)"
        case .list(let elements): return "\(node.line)\(anchor) [\(elements.map(outline).joined(separator: ", "))]"
        case .mapping(let entries):
            let pairs = entries.map { "\(outline($0.key)) = \(outline($0.value))" }
            return "\(node.line)\(anchor) {\(pairs.joined(separator: ", "))}"
        case .other: return "\(node.line)\(anchor) other"
        }
    }

    @Test(
        "Documents are read with types and lines",
        arguments: [
            ("a: 1\nb:\n  - c\n", "1 {1 text a = 1 integer 1, 2 text b = 3 [3 text c]}"),
            ("- - a\n  - b\n- c: d\n", "1 [1 [1 text a, 2 text b], 3 {3 text c = 3 text d}]"),
            ("{a: [b, 'c', \"d\"],\n e: {}}", "1 {1 text a = 1 [1 text b, 1 text c, 1 text d], 2 text e = 2 {}}"),
            ("a:\nb: ~\n", "1 {1 text a = 1 other , 2 text b = 2 other ~}"),
            // Block scalars and folded lines.
            ("a: |\n  b\n  c\n", "1 {1 text a = 1 text b\nc\n}"),
            ("a: >-\n  b\n  c\n\n  d\n", "1 {1 text a = 1 text b c\nd}"),
            ("a: |+\n  b\n\n", "1 {1 text a = 1 text b\n\n}"),
            ("a: b\n  c\n", "1 {1 text a = 1 text b c}"),
            ("a: 'it''s'\nb: \"\\x41\\u00e9\\n\"", "1 {1 text a = 1 text it's, 2 text b = 2 text Aé\n}"),
            // Comments, and what is none.
            ("# x\na: b # c\nd: e#f\n", "2 {2 text a = 2 text b, 3 text d = 3 text e#f}"),
            // Explicit keys, also such as are no text.
            ("? a\n: b\n? [c]\n: d\n", "1 {1 text a = 2 text b, 3 [3 text c] = 4 text d}"),
            // Document marks and directives.
            ("%YAML 1.1\n---\na\n...\n", "3 text a"), ("--- # x\na: b\n", "2 {2 text a = 2 text b}"),
            ("---\n", "2 other "),
            // Tags.
            (
                "a: !!str 1\nb: !!int \"2\"\nc: !x d\ne: ! \"3\"",
                "1 {1 text a = 1 text 1, 2 text b = 2 integer 2, 3 text c = 3 other d, 4 text e = 4 text 3}"
            ),
            (
                "a: !!seq [b]\nc: !!set {d}\ne: !x [f]\ng: ! {}",
                "1 {1 text a = 1 [1 text b], 2 text c = 2 other, 3 text e = 3 other, 4 text g = 4 {}}"
            ),
            ("%TAG ! tag:yaml.org,2002:\n---\na: !int '1'", "3 {3 text a = 3 integer 1}"),
            // An alias is not what it stands for.
            ("a: &x b\nc: *x\nd: &y [e]\n", "1 {1 text a = 1& text b, 2 text c = 2& other , 3 text d = 3& [3 text e]}"),
            // Equal texts of two types are two keys; names are compared byte by byte.
            ("1: a\n'1': b\n", "1 {1 integer 1 = 1 text a, 2 text 1 = 2 text b}"),
            ("\u{E9}: a\ne\u{301}: b\n", "1 {1 text \u{E9} = 1 text a, 2 text e\u{301} = 2 text b}"),
            // Line ends of other systems.
            ("a: 1\r\nb: 2\r\n", "1 {1 text a = 1 integer 1, 2 text b = 2 integer 2}"),
            ("a: 1\rb: 2\r", "1 {1 text a = 1 integer 1, 2 text b = 2 integer 2}"),
        ]
    )
    func documents(text: String, outline: String) throws {
        #expect(try root(text).map(self.outline) == outline)
    }

    @Test("A text without a document has no root", arguments: ["", " \n", "# x\n", "%YAML 1.1\n# x\n", "...\n"])
    func nothing(text: String) throws {
        // What comes before the marks need not be valid.
        #expect((try? root(text)) == nil)
    }

    @Test(
        "What is not YAML has the line and the words of the parser",
        arguments: [
            ("a: b\n---\nc: d", 2, "but found another document"), ("a: *b", 1, "found undefined alias"),
            ("a: &x [*x]", 1, "found undefined alias"), ("a: [b", 1, "did not find expected ',' or ']'"),
            ("a: b: c", 1, "mapping values are not allowed"), ("a: 'b", 1, "found unexpected end of stream"),
            ("a: \"\\q\"", 1, "found unknown escape character"),
            ("a:\n\t- b", 2, "found character that cannot start any token"),
            ("%YAML 2.0\n---\na", 1, "found incompatible YAML document"),
            ("a: !<x", 1, "did not find the expected '>'"),
            ("a: @b", 1, "found character that cannot start any token"), ("- a\nb: c", 2, "did not find expected '-'"),
            ("a: |x\n  b", 1, "did not find expected comment or line break"),
            ("a: !y!z b", 1, "found undefined tag handle"),
        ]
    )
    func faults(text: String, line: Int, problem: String) {
        #expect {
            try root(text)
        } throws: { error in
            guard case YAMLError.syntax(let found)? = error as? YAMLError else { return false }
            return found.text.contains(problem)
                && (found.line == line || found.context?.line == line || found.line == line + 1)
        }
    }

    @Test("The lines of a key's first two occurrences are told, in any style")
    func duplicates() {
        func duplicates(_ text: String) -> [String] {
            do throws(YAMLError) {
                _ = try Array(text.utf8).withUnsafeBufferPointer { bytes throws(YAMLError) in
                    try YAMLDocument.root(of: bytes)
                }
            } catch {
                if case .duplicate(let names) = error { return names.map { "\($0.name) \($0.first) \($0.second)" } }
            }
            return []
        }
        #expect(duplicates("a: 1\nb: 2\na: 3\na: 4") == ["a 1 3"])
        #expect(duplicates("{b: 1,\n a: 2,\n b: 3, a: 4}") == ["a 2 3", "b 1 3"])
        #expect(duplicates("x:\n  a: 1\n  \"a\": 2") == ["a 2 3"])
        #expect(duplicates("? a\n: 1\n? 'a'\n: 2") == ["a 1 3"])
        #expect(duplicates("a: 1\nx: {a: 2}\ny: [{a: 3}]") == [])
    }

    @Test("Sixty-four lists in each other are read, one more is refused")
    func depth() throws {
        func nested(_ count: Int) -> String {
            String(repeating: "[", count: count) + String(repeating: "]", count: count)
        }
        #expect(try root(nested(YAMLDocument.maximumDepth)) != nil)
        #expect(throws: YAMLError.self) { try root(nested(YAMLDocument.maximumDepth + 1)) }
        let problems = ConfigurationSample.problems(nested(65))
        #expect(problems == ["line 1: Lists and mappings are nested more than 64 levels deep."])
    }

    /// The parser compares each with all before: fifty thousand took fifteen seconds.
    @Test(
        "Many directives are refused before the parser reads them",
        arguments: ["%TAG !t! tag:t\n", "%YAML 1.1\r\n", "%x\r"]
    )
    func directives(directive: String) {
        let text = String(repeating: directive, count: 50_000) + "---\nversion: 1\n"
        let problems = ConfigurationFile(yaml: Array(text.utf8)).problems
        #expect(problems.map(\.message) == [DirectiveScreen.hint])
        let few = ConfigurationFile(yaml: Array(("%TAG ! tag:x:\n---\n" + ConfigurationSample.yaml).utf8))
        #expect(few.problems == [])
    }
}
