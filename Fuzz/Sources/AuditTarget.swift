import JOSE
import ServiceTools

@testable import TokenIssuance

/// A trail has the same faults however its bytes are split, and a line that was read can be followed by another.
@Sendable func fuzzAudit(_ bytes: [UInt8]) {
    for isMixed in [false, true] {
        let whole = verification(of: [bytes], isMixed: isMixed)
        let split = verification(of: bytes.map { [$0] }, isMixed: isMixed)
        precondition(split.problems == whole.problems)
        precondition((split.lines, split.skipped) == (whole.lines, whole.skipped))
        precondition(split.last?.hash == whole.last?.hash)
    }
    guard !bytes.contains(UInt8(ascii: "\n")), let line = AuditLine(bytes) else { return }
    var trail = bytes + [UInt8(ascii: "\n")]
    let position = AuditTrail.Position(sequence: line.sequence + 1, previous: SHA256Digest(of: bytes))
    _ = AuditLineDraft(object: Array(#"{"time":1}"#.utf8)).append(to: &trail, at: position)
    let both = verification(of: [trail], isMixed: false)
    precondition(both.lines == 2 && both.problems.allSatisfy { $0.line == 1 })
}

private func verification(of pieces: [[UInt8]], isMixed: Bool) -> AuditVerification {
    var verification = AuditVerification(isMixed: isMixed)
    verification.begin("")
    for piece in pieces { verification.add(piece) }
    verification.end()
    return verification
}
