import ArgumentParser

/// What is done with keys.
struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Make, check and promote keys.",
        subcommands: [CheckKeyCommand.self, NewKeyCommand.self, PromoteKeyCommand.self]
    )
}
