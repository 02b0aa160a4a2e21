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
            writer.name("time")
            writer.integer(time.seconds)
            writer.name("decision")
            writer.string(AuditRecord.Decision.error.rawValue)
            writer.name("rule")
            writer.string(TokenError.Reason.auditUnavailable.rawValue)
            writer.name("firstLate")
            writer.integer(Int64(clamping: sequences.lowerBound))
            writer.name("count")
            writer.integer(Int64(clamping: sequences.count))
        }
        return AuditLineDraft(object: writer.bytes)
    }
}
