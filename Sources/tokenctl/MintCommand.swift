import ArgumentParser
import FleetToken
import JOSE
import ServiceSupport
import TokenMinting
import TokenService

/// Signs a token with a key on this machine.
struct MintCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mint",
        abstract: "Mint a token with a key on this machine.",
        discussion: """
            Writes only the token to standard output, with a line feed only on a terminal. Without a service account it is \
            signed with a development key, which is created on first use; Google rejects such tokens.

            EXAMPLES:
              tokenctl mint --kind consumer --id trip-1
              tokenctl mint --kind driver --id vehicle-1 --service-account driver.json
              tokenctl mint --kind delivery_server --task-id task-1 --task-id task-2
              tokenctl mint --kind server -o claims
              tokenctl mint --kind server --service-account server.json -o header |
                curl -H @- "https://fleetengine.googleapis.com/v1/$TRIP"
            """
    )

    /// The output format of the token.
    enum Output: String, CaseIterable, ExpressibleByArgument {
        case token, json, header, claims
    }

    @Option(help: "The kind of token.")
    var kind: TokenKind

    @OptionGroup
    var resources: ResourceOptions

    @Option(
        help: ArgumentHelp(
            "The token's lifetime: 600 to 3540 seconds, or 10m to 59m. (default: 3540)",
            valueName: "seconds"
        ),
        transform: TokenLifetime.init
    )
    var lifetime = TokenLifetime.default

    @Option(
        help: ArgumentHelp(
            "A service account's JSON key to sign with. (default: a development key)",
            valueName: "file"
        ),
        completion: .file(extensions: ["json"])
    )
    var serviceAccount: String?

    @Option(
        help: ArgumentHelp("The folder with the development keys. (default: keys)", valueName: "folder"),
        completion: .directory
    )
    var keys: String?

    @Option(
        name: .shortAndLong,
        help: """
            The token alone, the service's JSON response, an Authorization header for curl -H @-, or the claims.
            """
    )
    var output = Output.token

    func validate() throws {
        guard serviceAccount == nil || keys == nil else {
            throw ValidationError("Use either --service-account or --keys.")
        }
    }

    func run() async throws {
        let scope = try resources.scope(of: kind)
        let minter = TokenMinter(signers: [kind: LocalSigner(try account())])
        let now = NumericDate.now
        let minted = try await minter.mint(scope, lifetime: lifetime, now: now)
        let token = minted.token.reveal()
        switch output {
        case .token: try Console.write(token + (Console.isOutputTerminal ? [UInt8(ascii: "\n")] : []))
        case .json: try Console.write(minted.response(at: now).encoded() + [UInt8(ascii: "\n")])
        case .header: try Console.write(Array("Authorization: Bearer ".utf8) + token + [UInt8(ascii: "\n")])
        case .claims: try Console.write(try JSONParser.parse(CompactJWS(parsing: token).payload).pretty() + "\n")
        }
    }

    private func account() throws -> ServiceAccount {
        guard let serviceAccount else {
            let keys = keys ?? "keys"
            let isNew = !KeyFile.isPresent(keys)
            let account = try DevelopmentKeys(directory: keys).account(for: kind)
            if isNew { Console.note("Created the folder \(keys) for development keys.") }
            Console.note("Signed with a development key from \(keys): Google rejects this token.")
            return account
        }
        guard let account = try KeyInspection(ofFileAt: serviceAccount).account else {
            throw CommandError(
                .failure,
                "\(serviceAccount): a PEM file contains no account. Use the service account's JSON key."
            )
        }
        return account
    }
}
