import ArgumentParser
import Foundation
import TokenService

/// Finds what was changed in an audit trail.
struct VerifyAuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Find lines of an audit trail that were changed, removed, added or moved.",
        discussion: """
            Name the files of a rotated trail in the order in which they were written. A chain cannot show that lines \
            are missing at the end, nor that somebody who may write to the file made all of it anew.

            EXAMPLE: tokenctl audit verify audit.jsonl.1 audit.jsonl
            """
    )

    @Argument(help: "The trail's files, the oldest first.", completion: .file())
    var files: [String]

    func run() throws {
        var verification = AuditVerification()
        for file in files {
            guard let data = FileManager.default.contents(atPath: file) else {
                throw CommandError(.failure, "Cannot read \(file).")
            }
            let before = verification.faults.count
            verification.read(Array(data))
            for fault in verification.faults[before...] { Console.note("\(file):\(fault.line): \(fault.description)") }
        }
        guard verification.faults.isEmpty else { throw ExitStatus.badSignatureOrKey.code }
        try Console.write("\(verification.lines) lines, none of them changed, removed, added or moved.\n")
    }
}
