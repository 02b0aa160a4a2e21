import Crypto
import JOSE
import StrictCoding
import TokenIssuance

/// Reads a trail's files in the order in which they were written and finds changes.
package struct AuditVerification: Sendable {
    /// A place at which a trail is broken.
    package struct Fault: Hashable, Sendable, CustomStringConvertible {
        /// The line's number in its file, from 1.
        package let line: Int
        /// The problem.
        package let description: String
    }

    /// The number of lines read.
    package private(set) var lines = 0
    /// The places at which the trail is broken; empty if it is intact.
    package private(set) var faults: [Fault] = []
    /// The number of the first line; nil when there is none.
    package private(set) var firstSequence: UInt64?

    /// The SHA-256 of the line before the first, in hexadecimal, where it is known.
    private let predecessor: String?
    private var expected: AuditTrail.Position?

    /// Creates a verification that has read nothing.
    ///
    /// - Parameter predecessor: The SHA-256, in lower-case hexadecimal, of the last line that was verified before.
    package init(after predecessor: String? = nil) {
        self.predecessor = predecessor
    }

    /// Reads the next file.
    ///
    /// A first line that is not the trail's first is accepted, unless the hash of the previous line is known.
    package mutating func read(_ file: [UInt8]) {
        var number = 0
        let lines = file.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for line in lines {
            number += 1
            // The last newline ends the last line; nothing follows it.
            if line.isEmpty, number == lines.count { break }
            read(Array(line), number)
        }
    }

    private mutating func read(_ bytes: [UInt8], _ number: Int) {
        lines += 1
        guard let line = AuditLine(bytes) else {
            faults.append(Fault(line: number, description: "Not an audit line."))
            expected = nil
            return
        }
        if let fault = fault(of: line) { faults.append(Fault(line: number, description: fault)) }
        firstSequence = firstSequence ?? line.sequence
        expected = .init(sequence: line.sequence + 1, previous: Array(SHA256.hash(data: bytes)))
    }

    private func fault(of line: AuditLine) -> String? {
        guard let expected else { return lines == 1 ? faultOfFirst(line) : nil }
        guard line.sequence == expected.sequence else {
            return
                "The line has number \(line.sequence) instead of \(expected.sequence): a line was removed, added or moved."
        }
        guard line.previous == Hexadecimal.text(expected.previous) else {
            return "This line or the previous one was changed."
        }
        return nil
    }

    private func faultOfFirst(_ line: AuditLine) -> String? {
        if let predecessor {
            return line.previous == predecessor ? nil : "The line does not follow the line with the given hash."
        }
        let start = AuditTrail.Position.start
        return line.sequence == start.sequence && line.previous != Hexadecimal.text(start.previous)
            ? "The line has number 1 but refers to a previous line: it was changed." : nil
    }
}

extension AuditVerification {
    /// Whether lines before the first may be missing: it is not number 1, and the hash of the previous line is unknown.
    package var isBeginningMissing: Bool {
        predecessor == nil && firstSequence != AuditTrail.Position.start.sequence
    }

    /// What a trail without faults proves, and what it does not.
    package var summary: String {
        guard let first = firstSequence, let last = expected else {
            return "The trail has no lines: nothing is proven."
        }
        let beginning =
            isBeginningMissing
            ? "The beginning is missing: the lines before number \(first) were not read. Add the previous files, or pass the hash of the previous line with --after."
            : "No lines are missing before them."
        return """
            \(lines) lines, from number \(first) to \(last.sequence - 1): no line was removed, added or moved, and no line except \
            possibly the last was changed.
            \(beginning)
            The last line's SHA-256 is \(Hexadecimal.text(last.previous)). Only a copy stored elsewhere can show whether that \
            line was changed, or lines after it are missing.
            """
    }
}
