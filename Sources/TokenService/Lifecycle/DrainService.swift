import HTTPServer
import Logging
import ServiceLifecycle
import ServiceSupport

/// Delays shutdown, so that load balancers notice it and redirect callers.
///
/// It is the last of the services in the group, so it is the first to be shut down, and the listeners keep running
/// until it has finished.
struct DrainService: Service {
    let lifecycle: Lifecycle
    let delay: Duration
    let manager: ServiceManager?
    let clock: ServiceClock
    let logger: Logger

    func run() async throws {
        try await gracefulShutdown()
        lifecycle.drain()
        manager?.stopping()
        guard delay > .zero else { return }
        logger.info("Draining: readiness is off; requests are still served.", metadata: ["for": "\(delay)"])
        try await clock.sleep(for: delay)
    }
}

extension DrainService: CustomStringConvertible {
    var description: String { "DrainService" }
}
