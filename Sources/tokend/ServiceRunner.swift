import Logging
import ServiceLifecycle
import TokenService
import UnixSignals

/// Runs the service until a signal asks it to end; requests under way are answered first.
enum ServiceRunner {
    static func run(_ service: TokenService, logger: Logger) async throws {
        let group = ServiceGroup(
            configuration: .init(
                services: [.init(service: service)],
                gracefulShutdownSignals: [.sigterm, .sigint],
                logger: logger
            )
        )
        try await group.run()
    }
}
