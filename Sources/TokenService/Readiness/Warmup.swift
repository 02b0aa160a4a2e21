import ServiceLifecycle
import Synchronization

/// Tries what the service needs from others before the first caller needs it, until each of them has answered once.
///
/// One that is out of reach keeps the service from being ready at first, and not from starting.
struct Warmup: Service {
    /// Those who have not answered yet, by their names in the configuration.
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

    let missing: Missing
    /// Tries all, and returns those who did not answer.
    let prepare: @Sendable () async -> [String]
    /// Waits before the next try; it throws when it is cancelled.
    var wait: @Sendable () async throws -> Void = { try await Task.sleep(for: .seconds(2)) }

    func run() async throws {
        // What is left when it ends is of no interest any more.
        try? await cancelWhenGracefulShutdown {
            while !missing.names.isEmpty {
                missing.replace(with: await prepare())
                if !missing.names.isEmpty { try await wait() }
            }
        }
        // Whoever runs services takes one that ends for a failure.
        try? await gracefulShutdown()
    }
}

extension Warmup: CustomStringConvertible {
    /// What runs it logs this, and would otherwise log all that it is made of.
    var description: String { "Warmup" }
}
