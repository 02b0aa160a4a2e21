import ArgumentParser
import FleetToken
import TokenService

/// Gets a token from a server.
struct FetchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch",
        abstract: "Fetch a token from a server.",
        discussion: """
            EXAMPLES:
              tokenctl fetch --server http://127.0.0.1:8080 --kind driver --id v1 |
                tokenctl inspect
              tokenctl fetch --server https://tokens.example.com --kind consumer \\
                --id trip-1 --header-file headers

            \(ExitStatus.help)
            """
    )

    /// The output format of the token.
    enum Output: String, CaseIterable, ExpressibleByArgument {
        case token, json
    }

    @Option(help: ArgumentHelp("The token server: an https URL, or http to this machine.", valueName: "url"))
    var server: String

    @Option(help: "The kind of token.")
    var kind: TokenKind

    @OptionGroup
    var resources: ResourceOptions

    @Option(
        help: ArgumentHelp(
            "A file with one header field per line, such as Authorization: Bearer …. (default: no header fields)",
            valueName: "file"
        ),
        completion: .file()
    )
    var headerFile: String?

    @Option(name: .shortAndLong, help: "The token only, or JSON with its expiry.")
    var output = Output.token

    func run() async throws {
        let scope = try resources.scope(of: kind)
        let fields = try HeaderFile.read(headerFile)
        let token = try await TokenServer(server).token(for: scope, fields: fields)
        switch output {
        case .token: try Console.write(token.bytes + (Console.isOutputTerminal ? [UInt8(ascii: "\n")] : []))
        case .json:
            var writer = JSONWriter()
            writer.object { writer in
                writer.member("token", utf8: token.bytes)
                writer.member("expirationTimestamp", token.expiresAt.seconds * 1000)
            }
            try Console.write(writer.bytes + [UInt8(ascii: "\n")])
        }
    }
}
