import ServiceLifecycle

/// Tells systemd that the service is well, for as long as it can answer; systemd ends and restarts one that is silent.
struct WatchdogService: Service {
    let manager: ServiceManager
    let interval: Duration
    /// Whether the service can answer.
    let isAlive: @Sendable () async -> Bool

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                if await isAlive() { manager.alive() }
                try? await Task.sleep(for: interval)
            }
        }
    }
}

extension WatchdogService: CustomStringConvertible {
    var description: String { "WatchdogService" }
}
