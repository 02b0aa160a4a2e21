import ArgumentParser
import TokenService

/// The token service's command.
@main
struct Tokend: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tokend",
        abstract: "Mints tokens for Google Fleet Engine's SDKs.",
        version: TokenService.version,
        subcommands: [
            DevCommand.self, ServeCommand.self, CheckCommand.self, ExplainCommand.self, HealthcheckCommand.self,
        ]
    )
}
