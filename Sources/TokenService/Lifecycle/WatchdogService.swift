import ServiceLifecycle
import ServiceSupport

/// Notifies systemd's watchdog as long as the service responds; systemd restarts a silent service.
struct WatchdogService: Service {
    let manager: ServiceManager
    let interval: Duration
    let clock: ServiceClock
    /// Whether the service responds.
    let isAlive: @Sendable () async -> Bool

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                if await isAlive() { manager.alive() }
                try? await clock.sleep(for: interval)
            }
        }
    }
}

extension WatchdogService: CustomStringConvertible {
    var description: String { "WatchdogService" }
}
