import JOSE
import StrictCoding

/// Follows an audit trail by its description alone: each line has the next number and the SHA-256 of the line before.
package enum AuditChain {
    /// Finds the lines that do not follow the line before.
    ///
    /// - Parameter files: The trail's files in the order in which they were written. The first line of all may have any
    ///   number, but number 1 follows no line.
    /// - Returns: The numbers of these lines, from 1.
    package static func faults(_ files: [UInt8]...) -> [Int] {
        var lines: [[UInt8]] = []
        for file in files {
            lines += file.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { Array($0) }
            // What follows the last line's end is a line, if there is anything.
            if lines.last?.isEmpty == true { lines.removeLast() }
        }
        var faults: [Int] = []
        var expected: (sequence: Int64, previous: String)?
        for (index, line) in lines.enumerated() {
            let object = try? JSONParser.parseObject(line)
            let (sequence, previous) = (object?["sequence"]?.integerValue, object?["previous"]?.stringValue)
            let start = sequence == 1 ? String(repeating: "0", count: 64) : previous
            if object?["v"] != .integer(1) || sequence == nil || previous == nil
                || previous != expected?.previous ?? start
                || sequence != expected?.sequence ?? sequence
            {
                faults.append(index + 1)
            }
            expected = sequence.map { ($0 + 1, SHA256Digest(of: line).hexadecimal) }
        }
        return faults
    }
}
