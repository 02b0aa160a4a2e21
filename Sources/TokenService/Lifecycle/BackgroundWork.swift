import ServiceLifecycle
import ServiceSupport

/// What runs beside the listeners.
struct BackgroundWork: Service, CustomStringConvertible {
    /// The name, which the service group logs instead of all properties of a service.
    let description: String
    let work: @Sendable () async throws -> Void

    func run() async throws { try await work() }
}

extension BackgroundWork {
    /// Does something again and again until shutdown.
    init(
        _ description: String,
        every interval: Duration,
        clock: ServiceClock,
        _ work: @escaping @Sendable () async -> Void
    ) {
        self.init(description: description) {
            await cancelWhenGracefulShutdown {
                while !Task.isCancelled {
                    await work()
                    try? await clock.sleep(for: interval)
                }
            }
        }
    }
}
