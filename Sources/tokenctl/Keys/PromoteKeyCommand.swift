import ArgumentParser
import FleetToken
import ServiceConfiguration
import ServiceTools
import TokenService

/// Makes the next key the current one.
struct PromoteKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "promote",
        abstract: "Make a kind's next key its current key, by moving the files.",
        discussion: """
            The next key is checked first. There is a current key at each moment, so services go on minting; they take the \
            change over within seconds. Where files cannot be moved, as in a mounted Secret, change the Secret, or set \
            next.from in the configuration.

            EXAMPLE: tokenctl keys promote --config tokend.yaml --kind driver
            """
    )

    @Option(help: "The service's configuration file (YAML).", completion: .file(extensions: ["yaml", "yml"]))
    var config: String

    @Option(help: "The kind of token.", completion: .list(TokenKind.allCases.map(\.rawValue)))
    var kind: TokenKind

    @Flag(help: "Check everything and print the moves, without moving files.")
    var dryRun = false

    func run() async throws {
        do {
            let promotion = try await KeyPromotion(of: kind, in: try ProductionMode(path: config))
            if !dryRun { try promotion.run() }
            try Console.write(promotion.text)
        } catch let error as ConfigurationError {
            throw CommandError(.failure, error.description)
        }
    }
}
