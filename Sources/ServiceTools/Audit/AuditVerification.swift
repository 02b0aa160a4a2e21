import JOSE
package import StrictCoding
import TokenIssuance

/// Reads a trail's files in the order in which they were written and finds changes.
package struct AuditVerification: Sendable {
    /// A place at which a trail is broken.
    package struct Problem: Hashable, Sendable, CustomStringConvertible {
        package let file: String
        /// The line's number in its file, from 1.
        package let line: Int
        /// The problem.
        package let description: String
    }

    private static let maximumLineSize = 1 << 20

    /// The number of audit lines read.
    package private(set) var lines = 0
    /// The number of other lines, where these may be there.
    package private(set) var skipped = 0
    /// Where the trail is broken, as far as problems are listed.
    package private(set) var problems: [Problem] = []
    /// The number of problems.
    package private(set) var problemCount = 0
    /// The number of the first line; nil when there is none.
    package private(set) var firstSequence: UInt64?

    /// The SHA-256 of the line before the first, in hexadecimal, where it is known.
    private let predecessor: String?
    /// Whether lines that are no audit lines are counted and skipped, as in a log that holds the trail.
    private let isMixed: Bool
    private let maximumProblems: Int
    private var expected: AuditTrail.Position?

    private var file = ""
    private var number = 0
    private var rest: [UInt8] = []
    private var isTooLong = false

    /// Creates a verification that has read nothing.
    package init(after predecessor: String? = nil, isMixed: Bool = false, maximumProblems: Int = .max) {
        self.predecessor = predecessor
        self.isMixed = isMixed
        self.maximumProblems = maximumProblems
    }

    /// Begins the next file.
    ///
    /// A first line that is not the trail's first is accepted, unless the hash of the previous line is known.
    package mutating func begin(_ file: String) {
        (self.file, number, rest, isTooLong) = (file, 0, [], false)
    }

    /// Reads more of the file.
    package mutating func add(_ bytes: [UInt8]) {
        var start = bytes.startIndex
        while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
            finishLine(bytes[start..<end])
            start = end + 1
        }
        keep(bytes[start...])
    }

    /// Ends the file; what follows the last line's end is a line, if there is anything.
    package mutating func end() {
        if !rest.isEmpty || isTooLong { finishLine([]) }
    }

    private mutating func keep(_ bytes: ArraySlice<UInt8>) {
        guard rest.count + bytes.count <= Self.maximumLineSize else {
            (rest, isTooLong) = ([], true)
            return
        }
        if !isTooLong { rest += bytes }
    }

    private mutating func finishLine(_ bytes: ArraySlice<UInt8>) {
        number += 1
        keep(bytes)
        read(rest)
        (rest, isTooLong) = ([], false)
    }

    private mutating func read(_ bytes: [UInt8]) {
        guard let line = AuditLine(bytes) else {
            if isMixed {
                skipped += 1
            } else {
                lines += 1
                report("Not an audit line.")
                expected = nil
            }
            return
        }
        lines += 1
        if let problem = problem(of: line) { report(problem) }
        firstSequence = firstSequence ?? line.sequence
        expected = .init(sequence: line.sequence + 1, previous: SHA256Digest(of: bytes))
    }

    private mutating func report(_ problem: String) {
        problemCount += 1
        if problems.count < maximumProblems { problems.append(Problem(file: file, line: number, description: problem)) }
    }

    private func problem(of line: AuditLine) -> String? {
        guard let expected else { return lines == 1 ? faultOfFirst(line) : nil }
        guard line.sequence == expected.sequence else {
            return
                "The line has number \(line.sequence) instead of \(expected.sequence): a line was removed, added or moved."
        }
        guard line.previous == expected.previousText else {
            return "This line or the previous one was changed."
        }
        return nil
    }

    private func faultOfFirst(_ line: AuditLine) -> String? {
        if let predecessor {
            return line.previous == predecessor ? nil : "The line does not follow the line with the given hash."
        }
        let start = AuditTrail.Position.start
        return line.sequence == start.sequence && line.previous != start.previousText
            ? "The line has number 1 but refers to a previous line: it was changed." : nil
    }

    /// The number and the SHA-256 of the last line; nil when there is none.
    package var last: (sequence: UInt64, hash: String)? {
        expected.map { ($0.sequence - 1, $0.previousText) }
    }

    /// Whether lines before the first may be missing: it is not number 1, and the hash of the previous line is unknown.
    package var isBeginningMissing: Bool {
        predecessor == nil && firstSequence != AuditTrail.Position.start.sequence
    }
}

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
