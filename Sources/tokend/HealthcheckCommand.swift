import ArgumentParser
import ServiceConfiguration
import TokenService

/// Checks whether a running service is ready, for containers without another HTTP client.
struct HealthcheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "healthcheck",
        abstract: "Check whether a running service is ready.",
        discussion: "Exits with 0 if it is ready, and with 1 if it is not or does not respond within two seconds."
    )

    @Option(help: "HOST:PORT of the admin listener.")
    var admin = "127.0.0.1:9090"

    func run() async throws {
        guard let address = ListenAddress(admin) else {
            throw ValidationError("--admin must be HOST:PORT, such as 127.0.0.1:9090 or [::1]:9090.")
        }
        if let obstacle = await HealthCheck.obstacle(.isReady, admin: address) { throw ConfigurationError(obstacle) }
    }
}
