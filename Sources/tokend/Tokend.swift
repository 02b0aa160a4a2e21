import ArgumentParser
import FleetToken
import TokenService

/// The token service's command.
@main
struct Tokend: Program {
    static let configuration = CommandConfiguration(
        commandName: "tokend",
        abstract: "Mints tokens for Google Fleet Engine's SDKs.",
        discussion: ExitStatus.help,
        version: ProductVersion.text(of: "tokend"),
        subcommands: [
            DevCommand.self, InitCommand.self, ServeCommand.self, CheckCommand.self, ExplainCommand.self,
            HealthcheckCommand.self,
        ]
    )

    static func main() async { await runToEnd() }
}
