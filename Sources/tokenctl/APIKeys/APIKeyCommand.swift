import ArgumentParser

/// The commands for callers' API keys.
struct APIKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apikey",
        abstract: "Create API keys for callers.",
        subcommands: [NewAPIKeyCommand.self]
    )
}
