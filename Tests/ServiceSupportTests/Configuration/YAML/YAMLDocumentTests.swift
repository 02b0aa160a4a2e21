import TestSupport
import Testing

@testable import ServiceSupport

struct YAMLDocumentTests {
    private func root(_ text: String) throws(YAMLError) -> YAMLNode? {
        try Array(text.utf8).withUnsafeBufferPointer { text throws(YAMLError) in try YAMLDocument.root(of: text) }
    }

    /// The text in one line: scalars, with quotes where they are not plain, and where each value begins.
    private func outline(_ node: YAMLNode) -> String {
        switch node.content {
        case .scalar(let text, let isPlain): return "\(node.line) \(isPlain ? text : "'\(text)'")"
        case .list(let elements): return "\(node.line) [\(elements.map(outline).joined(separator: ", "))]"
        case .mapping(let entries):
            let pairs = entries.map { "\(outline($0.key)) = \(outline($0.value))" }
            return "\(node.line) {\(pairs.joined(separator: ", "))}"
        }
    }

    @Test(
        arguments: [
            ("a: 1\nb:\n  - c\n", "1 {1 a = 1 1, 2 b = 3 [3 c]}"),
            ("- - a\n  - b\n- c: d\n", "1 [1 [1 a, 2 b], 3 {3 c = 3 d}]"),
            ("{a: [b, 'c', \"d\"],\n e: {}}", "1 {1 a = 1 [1 b, 1 'c', 1 'd'], 2 e = 2 {}}"),
            ("a:\nb: ~\n", "1 {1 a = 1 , 2 b = 2 ~}"),
            ("a: |\n  b\n  c\n", "1 {1 a = 1 'b\nc\n'}"), ("# x\na: b # c\nd: e#f\n", "2 {2 a = 2 b, 3 d = 3 e#f}"),
            // Explicit keys, also such as are no text.
            ("? a\n: b\n? [c]\n: d\n", "1 {1 a = 2 b, 3 [3 c] = 4 d}"),
            // Document marks.
            ("---\na\n...\n", "2 a"), ("--- # x\na: b\n", "2 {2 a = 2 b}"), ("---\n", "2 "),
            // Names are compared byte by byte.
            ("\u{E9}: a\ne\u{301}: b\n", "1 {1 \u{E9} = 1 a, 2 e\u{301} = 2 b}"),
            // Line ends of other systems.
            ("a: 1\r\nb: 2\r\n", "1 {1 a = 1 1, 2 b = 2 2}"), ("a: 1\rb: 2\r", "1 {1 a = 1 1, 2 b = 2 2}"),
        ]
    )
    func `Documents are read with lines`(text: String, outline: String) throws {
        #expect(try root(text).map(self.outline) == outline)
    }

    @Test(arguments: ["", " \n", "# x\n", "...\n"])
    func `A text without a document has no root`(text: String) throws {
        // What comes before the marks need not be valid.
        #expect((try? root(text)) == nil)
    }

    private func refusals(_ text: String) -> [String] {
        do {
            _ = try root(text)
        } catch {
            if case .refused(let found) = error { return found.map { "\($0.line) \($0.message)" } }
        }
        return []
    }

    @Test
    func `The lines of a key's first two occurrences are told, in any style`() {
        #expect(refusals("a: 1\nb: 2\na: 3\na: 4") == ["3 a is a duplicate; the first is in line 1. Remove one."])
        #expect(
            refusals("{b: 1,\n a: 2,\n b: 3, a: 4}") == [
                "3 a is a duplicate; the first is in line 2. Remove one.",
                "3 b is a duplicate; the first is in line 1. Remove one.",
            ]
        )
        #expect(refusals("x:\n  1: 1\n  \"1\": 2") == ["3 1 is a duplicate; the first is in line 2. Remove one."])
        #expect(refusals("{a: 1, a: 2}") == ["1 a is a duplicate in one mapping. Remove one."])
        #expect(refusals("a: 1\nx: {a: 2}\ny: [{a: 3}]") == [])
    }

    @Test(
        arguments: [
            "a: &x b", "a: *x", "&x a: b", "&x {a: b}", "? *x\n: a", "[&x a, *x]", "*x : a", "a: *-v",
        ].map { ($0, "1 Anchors (&) and aliases (*) are not supported.") }
            + ["a: !!int \"1\"", "a: !!str 1", "a: !x y", "!!map {a: b}", "[!!seq [a]]", "!!str a: b"]
            .map { ($0, "1 Tags (!) are not supported.") }
    )
    func `Anchors, aliases and tags are refused wherever they stand`(text: String, refusal: String) {
        #expect(refusals(text).map { $0.hasPrefix(refusal) } == [true])
    }

    @Test
    func `Sixty-four lists in each other are read, one more is refused`() throws {
        func nested(_ count: Int) -> String {
            String(repeating: "[", count: count) + String(repeating: "]", count: count)
        }
        #expect(try root(nested(YAMLDocument.maximumDepth)) != nil)
        #expect(refusals(nested(65)) == ["1 Lists and mappings are nested more than 64 levels deep."])
    }
}
