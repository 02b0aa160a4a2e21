import Logging
import ServiceLifecycle
import Telemetry
import TokenService

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Runs the service until a signal asks it to end; requests under way are answered first.
enum ServiceRunner {
    /// Keeps a request to reload from ending the process before anybody listens to it: all is about to be read anyway.
    static func ignoreReloads() {
        signal(SIGHUP, SIG_IGN)
    }

    /// Runs the service.
    ///
    /// A second signal ends the process at once, with the status that a shell gives to one which a signal ended.
    static func run(_ service: TokenServer, logger: Logger) async throws {
        let group = ServiceGroup(configuration: .init(services: [.init(service: service)], logger: logger))
        EndingSignals.handle(within: service.longestEnd + .seconds(2)) {
            logger.info("Shutting down. A second signal ends the process immediately.")
            Task { await group.triggerGracefulShutdown() }
        }
        defer { LineWriter.flushAll() }
        try await group.run()
    }
}
