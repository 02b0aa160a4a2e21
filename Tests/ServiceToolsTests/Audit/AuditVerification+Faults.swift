@testable import ServiceTools

extension AuditVerification {
    /// The faults of a trail in some files, as `line: what`.
    static func faults(_ files: [[UInt8]]...) -> [Int] {
        var verification = AuditVerification()
        for file in files { verification.read(Array(file.joined())) }
        return verification.faults.map(\.line)
    }
}
