import ArgumentParser

/// What is done with keys.
struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Make and check keys.",
        subcommands: [CheckKeyCommand.self, NewKeyCommand.self]
    )
}
