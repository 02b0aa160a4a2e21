import ArgumentParser

/// Commands for audit trails.
struct AuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Verify audit trails.",
        subcommands: [VerifyAuditCommand.self]
    )
}
