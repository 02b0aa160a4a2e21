@testable import ServiceTools

extension AuditVerification {
    /// The problems of a trail in some files, as `line: what`.
    static func problems(_ files: [[UInt8]]...) -> [Int] {
        var verification = AuditVerification()
        for file in files { verification.read(Array(file.joined())) }
        return verification.problems.map(\.line)
    }
}
