package import StrictCoding

extension AuditVerification {
    /// What is proven of a trail without a problem, and what is not.
    package var summary: String {
        let others = skipped == 0 ? "" : "\n\(skipped) other line\(skipped == 1 ? " was" : "s were") skipped."
        guard let first = firstSequence, let last else { return "The trail has no lines: nothing is proven.\(others)" }
        let beginning =
            isBeginningMissing
            ? "The beginning is missing: the lines before number \(first) were not read. Add the previous files, or pass the hash of the previous line with --after."
            : "No lines are missing before them."
        return """
            \(lines) line\(lines == 1 ? "" : "s"), from number \(first) to \(last.sequence): no line was removed, added or moved, and no line except \
            possibly the last was changed.
            \(beginning)
            The last line's SHA-256 is \(last.hash). Only a copy stored elsewhere can show whether that \
            line was changed, or lines after it are missing.\(others)
            """
    }

    /// The problems, a line each, and how many more there are.
    package var faultText: String {
        let more = problemCount - problems.count
        return
            (problems.map { "\($0.file):\($0.line): \($0.description)" }
            + (more > 0 ? ["\(more) more problem\(more == 1 ? "" : "s"). See all with --all."] : []))
            .joined(separator: "\n")
    }

    /// The result for programs: schema 1, to which later versions only add.
    package var json: JSONValue {
        let problems = problems.map { problem in
            JSONValue(members: [
                ("file", .string(problem.file)), ("line", .integer(Int64(problem.line))),
                ("message", .string(problem.description)),
            ])
        }
        return JSONValue(members: [
            ("schema", .integer(1)), ("ok", .bool(problemCount == 0 && lines > 0 && !isBeginningMissing)),
            ("lines", .integer(Int64(lines))), ("skipped", .integer(Int64(skipped))),
            ("first", firstSequence.map { .integer(Int64(clamping: $0)) } ?? .null),
            ("last", last.map { .integer(Int64(clamping: $0.sequence)) } ?? .null),
            ("lastHash", last.map { .string($0.hash) } ?? .null), ("isBeginningMissing", .bool(isBeginningMissing)),
            ("problemCount", .integer(Int64(problemCount))), ("problems", .array(problems)),
        ])
    }
}
