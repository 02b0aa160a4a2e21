import ArgumentParser
import ServiceSupport
import TokenService

/// Checks whether a running service is ready, for containers without another HTTP client.
struct HealthcheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "healthcheck",
        abstract: "Check whether a running service is ready.",
        discussion: """
            A service that does not respond within two seconds is not ready.

            EXAMPLES:
              tokend healthcheck
              tokend healthcheck --admin 127.0.0.1:9091
            """
    )

    @Option(help: ArgumentHelp("HOST:PORT of the admin listener.", valueName: "address"))
    var admin = "127.0.0.1:9090"

    func run() async throws {
        guard let address = ListenAddress(admin) else {
            throw ValidationError("--admin must be HOST:PORT, such as 127.0.0.1:9090 or [::1]:9090.")
        }
        if let problem = await HealthCheck.problem(admin: address) { throw OperatorError(problem) }
    }
}
