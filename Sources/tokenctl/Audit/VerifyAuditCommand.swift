import ArgumentParser
import Foundation
import ServiceTools

/// Finds changes in an audit trail.
struct VerifyAuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verify that no lines of an audit trail were changed, removed, added or moved.",
        discussion: """
            Name the files of a rotated trail in the order in which they were written. The chain proves the lines between \
            the first and the last. It cannot show that the last line was changed, that lines are missing after it, or \
            that all of it was made anew: keep the last number and hash that are printed elsewhere, and give the hash \
            with --after to verify what was written since.

            The exit status is 3 where the trail is broken, 7 where there is no line, and 8 where the beginning is missing.

            EXAMPLES:
              tokenctl audit verify audit.jsonl.1 audit.jsonl
              tokenctl audit verify --after 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 audit.jsonl
            """
    )

    @Option(help: ArgumentHelp("The SHA-256 of the line before the first, in hexadecimal.", valueName: "hash"))
    var after: String?

    @Argument(help: "The audit files, oldest first.", completion: .file())
    var files: [String]

    func validate() throws {
        let digits = Array("0123456789abcdef".utf8)
        guard after.map({ $0.utf8.count == 64 && $0.utf8.allSatisfy(digits.contains) }) ?? true else {
            throw ValidationError("--after must be a SHA-256: 64 lower-case hexadecimal digits.")
        }
    }

    func run() throws {
        var verification = AuditVerification(after: after)
        for file in files {
            guard let data = FileManager.default.contents(atPath: file) else {
                throw CommandError(.failure, "Cannot read \(file).")
            }
            let before = verification.faults.count
            verification.read(Array(data))
            for fault in verification.faults[before...] { Console.note("\(file):\(fault.line): \(fault.description)") }
        }
        guard verification.faults.isEmpty else { throw ExitStatus.badSignatureOrKey.code }
        guard verification.lines > 0 else { throw CommandError(.emptyTrail, verification.summary) }
        try Console.write(verification.summary + "\n")
        if verification.isBeginningMissing { throw ExitStatus.missingBeginning.code }
    }
}
