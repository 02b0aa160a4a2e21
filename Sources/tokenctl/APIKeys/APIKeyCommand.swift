import ArgumentParser

/// What is done with callers' API keys.
struct APIKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apikey",
        abstract: "Make API keys for callers.",
        subcommands: [NewAPIKeyCommand.self]
    )
}
