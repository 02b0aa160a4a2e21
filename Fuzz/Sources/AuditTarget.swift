import JOSE
import ServiceTools

@testable import TokenIssuance

/// A trail has the same faults however its bytes are split, and a line that was read can be followed by another.
@Sendable func fuzzAudit(_ bytes: [UInt8]) {
    for isMixed in [false, true] {
        var whole = AuditVerification(isMixed: isMixed)
        whole.read(bytes)
        var split = AuditVerification(isMixed: isMixed)
        split.begin("")
        for byte in bytes { split.add([byte]) }
        split.end()
        precondition(split.problems == whole.problems)
        precondition((split.lines, split.skipped) == (whole.lines, whole.skipped))
        precondition(split.last?.hash == whole.last?.hash)
    }
    guard !bytes.contains(UInt8(ascii: "\n")), let line = AuditLine(bytes) else { return }
    var trail = bytes + [UInt8(ascii: "\n")]
    let position = AuditTrail.Position(sequence: line.sequence + 1, previous: SHA256Digest(of: bytes))
    _ = AuditLineDraft(object: Array(#"{"time":1}"#.utf8)).append(to: &trail, at: position)
    var verification = AuditVerification()
    verification.read(trail)
    precondition(verification.lines == 2 && verification.problems.allSatisfy { $0.line == 1 })
}
