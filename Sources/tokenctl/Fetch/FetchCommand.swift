import ArgumentParser
import FleetToken
import TokenService

/// Gets a token from a server.
struct FetchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch",
        abstract: "Fetch a token from a server, or check the server.",
        discussion: """
            EXAMPLES:
              tokenctl fetch --server http://127.0.0.1:8080 --kind driver --id v1 |
                tokenctl inspect
              tokenctl fetch --server https://tokens.example.com --kind consumer \\
                --id trip-1 --header-file headers
              tokenctl fetch --conformance "https://api.example.com/tokens?trip={id}" \\
                --kind consumer --id trip-1 --header-file headers
            """
    )

    /// The output format of the token.
    enum Output: String, CaseIterable, ExpressibleByArgument {
        case token, json
    }

    @Option(
        help: ArgumentHelp(
            "The token server: an https URL, or http to this machine. (required without --conformance)",
            valueName: "url"
        )
    )
    var server: String?

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

    @Option(
        help: ArgumentHelp(
            """
            Check a token server instead: whether Google's SDKs and samples can use it. The URL is its base, before \
            /token/KIND/ID, or has {id} in the place of the ID.
            """,
            valueName: "url"
        )
    )
    var conformance: String?

    @Option(name: .shortAndLong, help: "The token only, or JSON with its expiry; of --conformance lines, or JSON.")
    var output = Output.token

    func validate() throws {
        guard (server == nil) != (conformance == nil) else {
            throw ValidationError("Use either --server or --conformance.")
        }
    }

    func run() async throws {
        let scope = try resources.scope(of: kind)
        let fields = try HeaderFile.read(headerFile)
        if let server {
            try write(try await TokenEndpoint(server).token(for: scope, fields: fields))
        } else if let conformance {
            let url = try ConformanceURL(conformance)
            try report(try await Conformance.run(on: url, scope: scope, fields: fields))
        }
    }

    private func write(_ token: TokenEndpoint.Token) throws {
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

    private func report(_ run: Conformance) throws {
        let results = ConformanceCheck.all.map { ($0, $0.verdict(run)) }
        let findings = results.map { check, verdict in
            let isBroken = verdict.level == .fail || verdict.level == .warn
            return Finding(
                verdict.level,
                subject: "\(check.number)",
                isBroken ? "\(verdict.text) \(check.breaks)" : verdict.text
            )
        }
        switch output {
        case .token: try Console.write(Report(findings).text(isQuiet: false))
        case .json:
            let checks = results.map { check, verdict in
                JSONValue(members: [
                    ("number", .integer(Int64(check.number))), ("level", .string(verdict.level.name)),
                    ("text", .string(verdict.text)), ("breaks", .string(check.breaks)),
                ])
            }
            try Console.write(
                JSONValue(members: [
                    ("schema", .integer(1)), ("ok", .bool(!findings.haveFailure)), ("checks", .array(checks)),
                ])
            )
        }
        if findings.haveFailure { throw ExitStatus.failure.code }
    }
}
