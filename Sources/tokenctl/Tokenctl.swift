import ArgumentParser
import FleetToken
import TokenService

/// The tool for looking at tokens and keys.
@main
struct Tokenctl: Program {
    static let configuration = CommandConfiguration(
        commandName: "tokenctl",
        abstract: "Mint, inspect and verify tokens for Google Fleet Engine.",
        discussion: """
            A token is read from standard input or a file and never from the command line, where others could see it.

            EXAMPLES:
              tokenctl mint --kind consumer --id trip-1 | tokenctl inspect
              tokenctl verify token.txt --key service-account.json
              tokenctl fetch --server http://127.0.0.1:8080 --kind driver --id vehicle-1

            \(ExitStatus.help)
            """,
        version: ProductVersion.text(of: "tokenctl"),
        subcommands: [
            MintCommand.self, InspectCommand.self, VerifyCommand.self, FetchCommand.self, KeysCommand.self,
            APIKeyCommand.self,
        ]
    )

    static func main() async { await runToEnd() }
}
