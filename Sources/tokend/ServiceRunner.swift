import Logging
import ServiceLifecycle
import ServiceSupport
import TokenService

/// Runs the service until a signal stops it; requests in progress are completed.
enum ServiceRunner {
    /// Keeps a reload signal from killing the process before it is handled: everything is about to be read anyway.
    static func ignoreReloads() {
        signal(SIGHUP, SIG_IGN)
    }

    /// Runs the service.
    ///
    /// A second signal ends the process immediately, with a shell's exit status for signals.
    static func run(_ service: TokenServer, logger: Logger) async throws {
        let group = ServiceGroup(configuration: .init(services: [.init(service: service)], logger: logger))
        EndingSignals.handle(within: service.longestEnd + .seconds(2)) {
            logger.info("Shutting down. A second signal ends the process immediately.")
            Task { await group.triggerGracefulShutdown() }
        }
        // Past its limit, a write to a file must fail and not end the process.
        signal(SIGXFSZ, SIG_IGN)
        defer { LineWriter.flushAll() }
        try await group.run()
    }
}
