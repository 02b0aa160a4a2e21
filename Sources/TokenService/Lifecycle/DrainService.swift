import HTTPServer
import Logging
import ServiceLifecycle

/// Puts off the service's end, so that load balancers can see that it comes and send callers elsewhere.
///
/// It is the last of the services that run together, so it is the first that is asked to end, and the listeners go on
/// until it has.
struct DrainService: Service {
    let lifecycle: Lifecycle
    let delay: Duration
    let manager: ServiceManager?
    let logger: Logger

    func run() async throws {
        try await gracefulShutdown()
        lifecycle.drain()
        manager?.stopping()
        guard delay > .zero else { return }
        logger.info("The service ends. It is not ready any more, and answers still.", metadata: ["for": "\(delay)"])
        try await Task.sleep(for: delay)
    }
}

extension DrainService: CustomStringConvertible {
    var description: String { "DrainService" }
}
