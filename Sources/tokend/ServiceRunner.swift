import Logging
import ServiceLifecycle
import TokenService
import UnixSignals

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
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                var isEnding = false
                for await signal in signals {
                    if isEnding {
                        logger.warning("A second signal: the service ends at once, and requests under way are lost.")
                        _exit(128 + signal.rawValue)
                    }
                    isEnding = true
                    await group.triggerGracefulShutdown()
                }
            }
            try await group.run()
            tasks.cancelAll()
        }
    }
}
