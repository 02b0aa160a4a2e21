import ArgumentParser
import ServiceConfiguration
import TokenService

/// Asks a running service whether callers may be sent to it, for containers that have nothing else to ask with.
struct HealthcheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "healthcheck",
        abstract: "Ask a running service whether it is ready.",
        discussion: "Exits with 0 when it is, and with 1 when it is not or doesn't answer within two seconds."
    )

    @Option(help: "HOST:PORT of its admin listener.")
    var admin = "127.0.0.1:9090"

    func run() async throws {
        guard let address = ListenAddress(admin) else {
            throw ValidationError("--admin is HOST:PORT, such as 127.0.0.1:9090 or [::1]:9090.")
        }
        if let obstacle = await HealthCheck.obstacle(.isReady, admin: address) { throw ConfigurationError(obstacle) }
    }
}
