import ArgumentParser
import FleetToken
import ServiceTools

/// Makes the next key the current one.
struct PromoteKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "promote",
        abstract: "Make a kind's next key its current key, by moving the files.",
        discussion: """
            The next key is checked first. There is a current key at each \
            moment, so services go on minting; they apply the change within seconds. The previous key's file is \
            replaced, but not within an hour of the promotion that put it there: until then tokens that it signed may \
            still be valid. Where files cannot be moved, as in a mounted Secret, change the Secret, or set next.from in the configuration.

            EXAMPLES:
              tokenctl keys promote --config tokend.yaml --kind driver
              sudo tokenctl keys promote --kind driver --dry-run

            \(ExitStatus.help)
            """
    )

    @OptionGroup
    var options: ConfigurationOptions

    @Option(
        help: ArgumentHelp("The kind of token.", valueName: "kind"),
        completion: .list(TokenKind.allCases.map(\.rawValue))
    )
    var kind: TokenKind

    @Flag(help: "Check everything and print the moves, without moving files.")
    var dryRun = false

    @Flag(
        help:
            "Replace a previous key whose tokens may still be valid; Fleet Engine continues to accept them, others do not."
    )
    var discardPrevious = false

    @Flag(name: .shortAndLong, help: "Print problems only.")
    var quiet = false

    func run() async throws {
        let path = try options.path()
        let promotion = try await KeyPromotion(of: kind, in: path, discardsPrevious: discardPrevious)
        try promotion.checkPlaces()
        if !dryRun { try promotion.run() }
        if !quiet { try Console.write(promotion.text(isDryRun: dryRun)) }
    }
}
