import Yams

/// Says what is wrong with text that is not YAML, in words that do not need a YAML specification.
struct YAMLFault {
    let line: Int
    let message: String

    /// Creates the explanation of what the parser found.
    ///
    /// - Parameters:
    ///   - problem: The parser's words.
    ///   - context: What it was reading, and where that began.
    ///   - mark: Where it gave up.
    ///   - lines: The text's lines.
    init(_ problem: String, _ context: YamlError.Context?, at mark: Mark, in lines: [Substring]) {
        let text = lines.indices.contains(mark.line - 1) ? lines[mark.line - 1] : ""
        let opening = context.map { lines.indices.contains($0.mark.line - 1) ? lines[$0.mark.line - 1] : "" } ?? ""
        // Where something opens says more than where the parser noticed that it is not closed.
        let isOpening = ["quoted scalar", "flow", "simple key"].contains { context?.text.contains($0) == true }
        let place = isOpening && !problem.contains("escape") ? context?.mark.line ?? mark.line : mark.line
        line = min(place, lines.count)
        message =
            switch true {
            case problem.contains("tab character"), Self.indentation(of: text).contains("\t"):
                "Tab in the indentation. Use spaces."
            case problem.contains("escape"), problem.contains("hexdecimal"):
                "A backslash in double quotes begins an escape. Put the value in single quotes."
            case context?.text.contains("quoted scalar") == true:
                "Unclosed quotation mark. Close it at the end of the value."
            case (text + opening).contains("${"):
                "${…} is not replaced: this file reads no environment variables. Write the value itself, or the path of a file that holds it."
            case Self.hasOpenPattern(text), Self.hasOpenPattern(opening):
                "The pattern is not in quotes. Put it in single quotes, such as pattern: 'v-[0-9]+'."
            default: Self.message(problem)
            }
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

    /// Explains keys that a mapping has twice.
    ///
    /// - Parameters:
    ///   - name: The key.
    ///   - mark: Where a key of the mapping stands.
    ///   - lines: The text's lines.
    init(duplicate name: String, at mark: Mark, in lines: [Substring]) {
        let places = Self.lines(of: name, column: mark.column - 1, around: mark.line - 1, in: lines)
        guard places.count > 1 else {
            line = mark.line
            message = "\(name) is a duplicate in one mapping. Remove one."
            return
        }
        line = places[1] + 1
        message = "\(name) is a duplicate; the first is in line \(places[0] + 1). Remove one."
    }

    /// The lines at which a mapping in block style has a key, from 0.
    private static func lines(of name: String, column: Int, around start: Int, in lines: [Substring]) -> [Int] {
        guard lines.indices.contains(start), column >= 0 else { return [] }
        /// What stands at the column and after; nil for a line that ends the mapping.
        func rest(_ line: Substring) -> Substring.UTF8View.SubSequence? {
            let before = line.utf8.prefix(column)
            let isBlank = line.utf8.allSatisfy { $0 == 0x20 || $0 == 0x0D } || line.utf8.first { $0 != 0x20 } == 0x23
            guard before.allSatisfy({ $0 == 0x20 || $0 == UInt8(ascii: "-") }) || isBlank else { return nil }
            return line.utf8.dropFirst(column)
        }
        func hasKey(_ line: Substring) -> Bool {
            guard let rest = rest(line) else { return false }
            return [name, "\"\(name)\"", "'\(name)'"].contains { key in
                rest.starts(with: key.utf8)
                    && rest.dropFirst(key.utf8.count).first { $0 != 0x20 } == UInt8(ascii: ":")
            }
        }
        let first = lines[..<start].lastIndex { rest($0) == nil }.map { $0 + 1 } ?? 0
        let end = lines[start...].firstIndex { rest($0) == nil } ?? lines.endIndex
        return (first..<end).filter { hasKey(lines[$0]) }
    }
}
