import ArgumentParser
import ServiceTools

/// Finds changes in an audit trail.
struct VerifyAuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verify that no lines of an audit trail were changed, removed, added or moved.",
        discussion: """
            Name the files of a rotated trail in any order; compressed ones come from zcat, the oldest first. The chain \
            proves the lines between the first and the last. It cannot show that the last line was changed, that lines are missing after it, \
            or that all of it was made anew: keep the last number and hash that are printed elsewhere, and give the hash \
            with --after to verify what was written since.

            EXAMPLES:
              tokenctl audit verify audit.jsonl*
              zcat -f $(ls -tr audit.jsonl*) | tokenctl audit verify -
              kubectl logs deploy/tokend | tokenctl audit verify --mixed
              tokenctl audit verify --after "$(cat last-hash)" audit.jsonl

            \(ExitStatus.help(.badSignatureOrKey, .emptyTrail, .missingBeginning))
            """
    )

    @Option(
        help: ArgumentHelp(
            "The SHA-256 of the line before the first, in hexadecimal. (default: the trail's beginning)",
            valueName: "hash"
        )
    )
    var after: String?

    @Flag(help: "Count and skip other lines, as in a log that contains the trail.")
    var mixed = false

    @Flag(help: "Show all problems, not only the first ten.")
    var all = false

    @OptionGroup
    var report: ReportOptions

    @Argument(
        help: ArgumentHelp("The trail's files; - or none for standard input.", valueName: "file"),
        completion: .file()
    )
    var files: [String] = []

    func validate() throws {
        let digits = Array("0123456789abcdef".utf8)
        guard after.map({ $0.utf8.count == 64 && $0.utf8.allSatisfy(digits.contains) }) ?? true else {
            throw ValidationError("--after must be a SHA-256: 64 lower-case hexadecimal digits.")
        }
    }

    func run() async throws {
        if files.isEmpty, Console.isInputTerminal { Console.note("Reading the trail from standard input …") }
        let verification = try await Console.progress("Reading the trail …") { try read() }
        let isWhole = verification.problemCount == 0 && verification.lines > 0
        switch report.output {
        case .json: try Console.write(verification.json)
        case .text where verification.problemCount > 0: Console.note(verification.faultText)
        case .text where verification.lines == 0: Console.note("Error: \(verification.summary)")
        case .text:
            if !report.quiet || verification.isBeginningMissing { try Console.write(verification.summary + "\n") }
        }
        guard verification.problemCount == 0 else { throw ExitStatus.badSignatureOrKey.code }
        guard isWhole else { throw ExitStatus.emptyTrail.code }
        if verification.isBeginningMissing { throw ExitStatus.missingBeginning.code }
    }

    private func read() throws -> AuditVerification {
        var verification = AuditVerification(after: after, isMixed: mixed, maximumProblems: all ? .max : 10)
        for path in try TrailFile.inOrder(files.isEmpty ? ["-"] : files) {
            verification.begin(path)
            try TrailFile.read(path) { piece in
                verification.add(piece)
                return true
            }
            verification.end()
        }
        return verification
    }
}
