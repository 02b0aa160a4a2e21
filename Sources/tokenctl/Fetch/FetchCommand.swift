import ArgumentParser
import CommandSupport
import FleetToken
import Foundation
import TokenProvider

/// Gets a token from a server as an app does.
struct FetchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch",
        abstract: "Fetch a token from a server with the client library.",
        discussion: """
            --callers sets how many callers request tokens from one provider concurrently, and --for how long they repeat \
            their requests. A line of statistics in JSON is written to standard error.

            EXAMPLES:
              tokenctl fetch --server http://127.0.0.1:8080 --kind driver --id v1 |
                tokenctl inspect
              tokenctl fetch --server https://tokens.example.com --kind consumer \\
                --id trip-1 --header-file headers
              tokenctl fetch --server http://127.0.0.1:8080 --kind driver --id v1 \\
                --callers 100 --for 5

            \(ExitStatus.help(.network))
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
            "The number of concurrent callers: 1 to 10000. (default: 1, without statistics)",
            valueName: "number"
        )
    )
    var callers: Int?

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("How long the callers repeat their requests.", valueName: "seconds")
    )
    var seconds: Double = 0

    @Option(
        help: ArgumentHelp(
            """
            A file with one header field per line, such as Authorization: Bearer …, read again for each fetch. (default: \
            no header fields)
            """,
            valueName: "file"
        ),
        completion: .file()
    )
    var headerFile: String?

    @Option(name: .shortAndLong, help: "The token only, or JSON with its expiry.")
    var output = Output.token

    func validate() throws {
        guard (1...10_000).contains(callers ?? 1) else {
            throw ValidationError("--callers must be from 1 to 10000.")
        }
        guard seconds.isFinite, (0...86_400).contains(seconds) else {
            throw ValidationError("--for must be from 0 to 86400 seconds.")
        }
        guard seconds == 0 || callers != nil else {
            throw ValidationError("--for requires --callers.")
        }
    }

    func run() async throws {
        guard let url = URL(string: server) else { throw CommandError(.usage, "--server is not a valid URL.") }
        let scope = try resources.scope(of: kind, alphabet: .unicode)
        let statistics = FetchStatistics()
        let headerFile = headerFile
        let provider = CachingTokenProvider(server: url, observer: { statistics.count($0) }) { _ in
            try HeaderFile.read(headerFile)
        }
        var result: Result<Token, any Error>
        if let callers {
            result = await FetchLoad(provider: provider, scope: scope, statistics: statistics)
                .run(callers: callers, seconds: seconds)
            Console.note(statistics.json)
        } else {
            do { result = .success(try await provider.token(for: scope)) } catch { result = .failure(error) }
        }
        switch result {
        case .success(let token): try output.write(token)
        case .failure(let error): throw CommandError(fetching: error)
        }
    }
}
