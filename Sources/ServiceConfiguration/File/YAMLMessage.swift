import StrictCoding

/// Says what is wrong with text that is not YAML, in words that do not need a YAML specification.
struct YAMLMessage {
    let line: Int
    let message: String

    /// Creates the explanation of what the parser found in a text with these lines.
    init(_ problem: YAMLProblem, in lines: [Substring]) {
        func text(_ line: Int) -> Substring { lines.indices.contains(line - 1) ? lines[line - 1] : "" }
        let context = problem.context
        let (text, opening) = (text(problem.line), context.map { text($0.line) } ?? "")
        let problem = (text: problem.text, line: problem.line)
        // Where something opens says more than where the parser noticed that it is not closed.
        let isOpening = ["quoted scalar", "flow", "simple key"].contains { context?.text.contains($0) == true }
        let place = isOpening && !problem.text.contains("escape") ? context?.line ?? problem.line : problem.line
        let tight = Self.lineWithoutSpace(around: problem.line, in: lines)
        line = tight ?? min(place, lines.count)
        message =
            switch true {
            case tight != nil: "A space is missing after the colon of a key."
            case Self.hasBracketedAddress(text), Self.hasBracketedAddress(opening):
                "An address in brackets must be in quotes, such as \"[::1]:8080\"."
            case problem.text.contains("tab character"), Self.indentation(of: text).contains("\t"):
                "Tab in the indentation. Use spaces."
            case problem.text.contains("escape"), problem.text.contains("hexdecimal"):
                "A backslash in double quotes begins an escape. Put the value in single quotes."
            case context?.text.contains("quoted scalar") == true:
                "Unclosed quotation mark. Close it at the end of the value."
            case (text + opening).contains("${"):
                "${…} is not replaced: this file reads no environment variables. Write the value itself, or the path of a file that holds it."
            case Self.hasOpenPattern(text), Self.hasOpenPattern(opening):
                "The pattern is not in quotes. Put it in single quotes, such as pattern: 'v-[0-9]+'."
            default: Self.message(problem.text)
            }
    }

    /// The closest line at or above another that begins with a key whose colon no space follows, as in `listen:127.0.0.1:8080`.
    private static func lineWithoutSpace(around line: Int, in lines: [Substring]) -> Int? {
        lines.indices.prefix(line).suffix(3).last { hasTightColon(lines[$0]) }.map { $0 + 1 }
    }

    /// Whether a text begins with a name, a colon and something else than white space.
    static func hasTightColon(_ line: Substring) -> Bool {
        let rest = line.utf8.drop { $0 == 0x20 }
        let name = rest.prefix(while: \.isASCIILetter)
        let after = rest.dropFirst(name.count)
        guard !name.isEmpty, after.first == UInt8(ascii: ":"), let next = after.dropFirst().first else { return false }
        return next > 0x20 && next != UInt8(ascii: "/")
    }

    /// Whether a line has an IPv6 address in brackets, and a port, without quotes around them.
    private static func hasBracketedAddress(_ line: Substring) -> Bool {
        guard let end = line.firstRange(of: "]:"), let start = line[..<end.lowerBound].lastIndex(of: "[") else {
            return false
        }
        let inner = line[start..<end.lowerBound].dropFirst()
        return inner.contains(":") && inner.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
            && !line[..<start].contains { $0 == "\"" || $0 == "'" }
    }

    private static func indentation(of line: Substring) -> Substring {
        line.prefix { $0 == " " || $0 == "\t" }
    }

    /// Whether a line has a pattern without quotes around it.
    private static func hasOpenPattern(_ line: Substring) -> Bool {
        guard let range = line.firstRange(of: "pattern:"),
            let first = line[range.upperBound...].first(where: { $0 != " " })
        else { return false }
        return first != "'" && first != "\""
    }

    /// The parser's words, each with what to do.
    private static let advice: [(problem: String, message: String)] = [
        (
            "mapping values are not allowed",
            "A colon stands where none is expected. Put a value that has a colon in quotes, and align keys of one level."
        ),
        ("did not find expected key", "The indentation differs from that of the lines above. Align keys of one level."),
        (
            "did not find expected '-'",
            "The indentation differs from that of the lines above. Align the elements of one list."
        ),
        (
            "did not find expected ','",
            "A { or [ is not closed, or a comma is missing. Put values with { } [ ] , in quotes."
        ),
        ("did not find expected node content", "A { or [ is not closed, or a value is missing."),
        (
            "could not find expected ':'",
            "A colon is missing after a key, or a value without quotes goes on in the next line."
        ),
        (
            "cannot start any token",
            "A value begins with a character that means something else in YAML. Put it in quotes."
        ),
        ("another document", "A second document begins here. Remove one."),
        (
            "undefined alias",
            "A value that begins with * is an alias, and aliases are not read. Put the value in quotes."
        ),
        ("alphabetic or numeric character", "A value that begins with * or & is not read. Put it in quotes."),
        ("control characters", "Control character. Remove it."),
        ("unexpected end of stream", "The file ends in the middle of a value."),
    ]

    /// The explanation of a problem without regard to the text.
    static func message(_ problem: String) -> String {
        advice.first { problem.contains($0.problem) }?.message ?? "Invalid YAML: \(problem)."
    }

    /// Explains a key that a mapping has twice.
    init(duplicate name: String, first: Int, second: Int) {
        line = second
        message =
            first == second
            ? "\(name) is a duplicate in one mapping. Remove one."
            : "\(name) is a duplicate; the first is in line \(first). Remove one."
    }
}
