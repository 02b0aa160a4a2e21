import ArgumentParser

struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Create, check and promote keys.",
        subcommands: [CheckKeyCommand.self, NewKeyCommand.self, PromoteKeyCommand.self]
    )
}
