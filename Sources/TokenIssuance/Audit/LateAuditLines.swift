import FleetToken
import StrictCoding

/// Lines that were written after their requests had failed with a timeout.
struct LateAuditLines {
    /// Their sequence numbers.
    let sequences: Range<UInt64>

    /// Creates a record of the lines.
    init(_ sequences: Range<UInt64>) {
        self.sequences = sequences
    }

    /// Returns the line that follows them, which records that no token was issued for them.
    ///
    /// - Parameter time: The time of the line.
    /// - Returns: The line.
    func line(at time: NumericDate) -> AuditLineDraft {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("time", time.seconds)
            writer.member("decision", AuditRecord.Decision.error.rawValue)
            writer.member("rule", TokenError.Reason.auditUnavailable.rawValue)
            writer.member("firstLate", Int64(clamping: sequences.lowerBound))
            writer.member("count", Int64(clamping: sequences.count))
        }
        return AuditLineDraft(object: writer.bytes)
    }
}
