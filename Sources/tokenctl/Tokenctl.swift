import ArgumentParser
import TokenMinting

/// The tool for looking at tokens and keys.
@main
struct Tokenctl: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tokenctl",
        abstract: "Mint, inspect and verify tokens for Google Fleet Engine.",
        discussion: """
            A token is read from standard input or a file and never from the command line, where others could see it.

            EXAMPLES:
              tokenctl mint --kind consumer --id trip-1 | tokenctl inspect
              tokenctl verify token.txt --key service-account.json
              tokenctl keys check service-account.json
              tokenctl doctor --config tokend.yaml
            """,
        version: VersionCommand.text,
        subcommands: [
            MintCommand.self, InspectCommand.self, VerifyCommand.self, FetchCommand.self, KeysCommand.self,
            APIKeyCommand.self, AuditCommand.self, DoctorCommand.self, VersionCommand.self,
        ]
    )

    static func main() async {
        do {
            let arguments = Array(CommandLine.arguments.dropFirst())
            // Before parsing, because the parser's messages repeat the arguments.
            if let refusal = ArgumentScreen.refusal(of: arguments) { throw CommandError(.failure, refusal) }
            var command = try await asyncParseAsRoot(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            finish(error)
        }
    }

    private static func finish(_ error: any Error) -> Never {
        if let error = CommandError(error) {
            Console.note("Error: \(error.message)")
            exit(withError: error.status.code)
        }
        // The parser's own: help and completion scripts, which are successes, or a mistake in the arguments.
        guard exitCode(for: error) == .validationFailure else { exit(withError: error) }
        Console.note(fullMessage(for: error))
        exit(withError: ExitStatus.failure.code)
    }
}
