import ArgumentParser
import FleetToken
import ServiceConfiguration
import TokenService

/// Explains which grant decides a request.
struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explain which grant decides a request, and why the others do not.",
        discussion: """
            EXAMPLE: tokend explain --config tokend.yaml --caller app --claims claims.json --kind driver --id vehicle-1
            """
    )

    @OptionGroup
    var options: ConfigurationOptions

    @Option(help: "The caller's name in the configuration.")
    var caller: String

    @Option(help: "A JSON file with the caller's claims.", completion: .file(extensions: ["json"]))
    var claims: String?

    @Option(help: "The kind of token.", completion: .list(TokenKind.allCases.map(\.rawValue)))
    var kind: String

    @Option(help: "The ID of the trip, vehicle, shipment or task.")
    var id: String?

    @Option(help: "The ID of a task; repeatable for a batch.")
    var taskId: [String] = []

    func run() throws {
        let mode = try options.read()
        guard let kind = TokenKind(name: kind) else {
            throw ValidationError("--kind must be one of \(TokenKind.names).")
        }
        let scope: TokenScope
        do {
            scope = try TokenScope(kind: kind, id: id, taskIDs: taskId, alphabet: mode.alphabet)
        } catch {
            throw ValidationError(error.message)
        }
        let claims = try claims.map { try OperatorFile.read($0) }
        StandardStreams.print(try mode.explain(caller: caller, claims: claims, scope: scope) + "\n")
    }
}
