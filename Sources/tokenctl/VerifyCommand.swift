import ArgumentParser
import FleetToken
import JOSE
import TokenService

/// Verifies a token.
struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check a token's signature, claims, times and scope.",
        discussion: """
            The input is a token, an Authorization header line, or the service's JSON response. All failed checks are \
            listed.

            EXAMPLES:
              tokenctl verify token.txt --key service-account.json
              tokenctl verify token.txt --key public.pem --kind consumer --id trip-1
              tokenctl verify token.txt --jwks jwks.json --at 2026-11-20T12:00:00Z
              tokenctl mint --kind consumer --id trip-1 |
                tokenctl verify --key keys/consumer.json
              curl -s http://127.0.0.1:8080/token/consumer/trip-1 |
                tokenctl verify --jwks http://127.0.0.1:8080/.well-known/jwks.json
            """
    )

    @Argument(help: "The file that contains the token; omit it or use - for standard input.", completion: .file())
    var file: String?

    @Option(
        help: ArgumentHelp(
            "A key set with the key: an https URL, an http URL on this machine, or a file. (required without --key)",
            valueName: "file|url"
        ),
        completion: .file()
    )
    var jwks: String?

    @Option(
        help: ArgumentHelp(
            "The key, PEM, or a service account's JSON key. (required without --jwks)",
            valueName: "file"
        ),
        completion: .file()
    )
    var key: String?

    @Option(help: "The expected kind of token. (default: any)")
    var kind: TokenKind?

    @OptionGroup
    var resources: ResourceOptions

    @OptionGroup
    var report: ReportOptions

    @Option(
        help: ArgumentHelp(
            "Check the token at this time in UTC, such as 2027-12-31T00:00:00Z, or seconds since 1970. (default: now)",
            valueName: "time"
        )
    )
    var at: NumericDate?

    func validate() throws {
        guard (key == nil) != (jwks == nil) else { throw ValidationError("Use either --key or --jwks.") }
        guard kind != nil || resources.isEmpty else {
            throw ValidationError("--id and --task-id require --kind.")
        }
    }

    func run() async throws {
        let scope = try kind.map { try resources.scope(of: $0) }
        let keys: VerificationKeys =
            if let key {
                .key(try KeyInspection(ofFileAt: key).publicKey)
            } else {
                .set(try await KeySetReader.read(jwks ?? "-"))
            }
        let verification = TokenVerification(of: try Input.token(file), keys: keys, scope: scope, now: at ?? .now)
        if report.output == .json { try Console.write(verification.json) }
        guard !verification.failures.isEmpty else {
            if report.output == .text, !report.quiet { try Console.write(verification.text + "\n") }
            return
        }
        if report.output == .text { Console.note(verification.text) }
        throw ExitStatus.failure.code
    }
}
