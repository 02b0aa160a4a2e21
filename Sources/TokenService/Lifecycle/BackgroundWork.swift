import ServiceLifecycle
import ServiceSupport

/// What runs beside the listeners.
struct BackgroundWork: Service, CustomStringConvertible {
    /// Its name; the service group logs this instead of all properties.
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
