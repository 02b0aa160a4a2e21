import ArgumentParser

/// The commands for keys.
struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Create keys.",
        subcommands: [NewKeyCommand.self]
    )
}
