import ArgumentParser

/// The token service's command.
@main
struct Tokend: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tokend",
        abstract: "Mints tokens for Google Fleet Engine's SDKs.",
        subcommands: [DevCommand.self]
    )
}
