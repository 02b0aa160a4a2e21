import ArgumentParser

/// What is done with audit trails.
struct AuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Check audit trails.",
        subcommands: [VerifyAuditCommand.self]
    )
}
