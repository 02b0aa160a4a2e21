import ArgumentParser
import FleetToken

/// The token service's command.
@main
struct Tokend: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tokend",
        abstract: "Mints tokens for Google Fleet Engine's SDKs.",
        version: ProductVersion.current,
        subcommands: [
            DevCommand.self, ServeCommand.self, CheckCommand.self, ExplainCommand.self, HealthcheckCommand.self,
        ]
    )

    static func main() async {
        do {
            var command = try await asyncParseAsRoot(nil)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            // Help and version are successes; everything else may repeat foreign text.
            let code = exitCode(for: error)
            guard code != .success, !(error is ExitCode) else { exit(withError: error) }
            StandardStreams.note(fullMessage(for: error))
            exit(withError: code)
        }
    }
}
