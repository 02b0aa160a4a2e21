import Crypto

/// Reads a trail's files in the order in which they were written and finds what was changed.
public struct AuditVerification: Sendable {
    /// Where a trail is broken.
    public struct Fault: Hashable, Sendable, CustomStringConvertible {
        /// The line's number in its file, from 1.
        public let line: Int
        /// What is wrong.
        public let description: String
    }

    /// The number of lines read.
    public private(set) var lines = 0
    /// Where the trail is broken; empty when it is whole.
    public private(set) var faults: [Fault] = []

    private var expected: AuditTrail.Position?

    /// A verification that has read nothing.
    public init() {}

    /// Reads the next file.
    ///
    /// The first line of the first file is taken as it is: what came before it is not there to compare.
    public mutating func read(_ file: [UInt8]) {
        var number = 0
        let lines = file.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for line in lines {
            number += 1
            // The last newline ends the last line; what follows it is no line.
            if line.isEmpty, number == lines.count { break }
            read(Array(line), number)
        }
    }

    private mutating func read(_ bytes: [UInt8], _ number: Int) {
        lines += 1
        guard let line = AuditLine(bytes) else {
            faults.append(Fault(line: number, description: "It is not an audit line."))
            expected = nil
            return
        }
        if let expected {
            if line.sequence != expected.sequence {
                let what =
                    "It has number \(line.sequence), and \(expected.sequence) was due: a line was removed, added or moved."
                faults.append(Fault(line: number, description: what))
            } else if line.previous != Hexadecimal.text(expected.previous) {
                faults.append(Fault(line: number, description: "The line before it was changed, or this one was."))
            }
        }
        expected = .init(sequence: line.sequence + 1, previous: Array(SHA256.hash(data: bytes)))
    }
}
