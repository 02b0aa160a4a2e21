import ServiceLifecycle
import ServiceSupport
import Synchronization

/// Tries external dependencies before the first request needs them.
///
/// An unreachable dependency may delay readiness, but not the start.
struct Warmup: Service {
    /// The dependencies that have not responded yet, by their names in the configuration.
    final class Missing: Sendable {
        private let stored: Mutex<[String]>

        init(_ names: [String]) {
            stored = Mutex(names)
        }

        var names: [String] { stored.withLock { $0 } }

        fileprivate func replace(with names: [String]) {
            stored.withLock { $0 = names }
        }
    }

    /// How long it waits before the next try.
    static let interval = Duration.seconds(2)

    let clock: ServiceClock
    let missing: Missing
    /// Tries all dependencies, and returns those that did not respond.
    let prepare: @Sendable () async -> [String]

    func run() async throws {
        // The remaining work is irrelevant after shutdown.
        try? await cancelWhenGracefulShutdown {
            while !missing.names.isEmpty {
                missing.replace(with: await prepare())
                if !missing.names.isEmpty { try await clock.sleep(for: Self.interval) }
            }
        }
        // The service group treats a service that returns as a failure.
        try? await gracefulShutdown()
    }
}

extension Warmup: CustomStringConvertible {
    /// The service group logs this instead of all properties.
    var description: String { "Warmup" }
}
