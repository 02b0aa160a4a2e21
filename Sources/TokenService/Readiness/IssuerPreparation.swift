import ServiceLifecycle
import Synchronization

/// Fetches issuers' keys before the first caller needs them, until each issuer's were had once.
///
/// An issuer that is out of reach keeps the service from being ready at first, and not from starting; later, the keys
/// that are known go on.
struct IssuerPreparation: Service {
    /// The callers whose issuers' keys were not had yet.
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
    /// Tries to fetch the keys of all issuers, and returns the callers whose it could not.
    let prepare: @Sendable () async -> [String]
    /// Waits before the next try; it throws when it is cancelled.
    var wait: @Sendable () async throws -> Void = { try await Task.sleep(for: .seconds(2)) }

    func run() async throws {
        // What is left when it ends is of no interest any more.
        try? await cancelWhenGracefulShutdown {
            repeat {
                missing.replace(with: await prepare())
                guard !missing.names.isEmpty else { break }
                try await wait()
            } while !Task.isCancelled
        }
        // Whoever runs services takes one that ends for a failure.
        try? await gracefulShutdown()
    }
}

extension IssuerPreparation: CustomStringConvertible {
    /// What runs it logs this, and would otherwise log all that it is made of.
    var description: String { "IssuerPreparation" }
}
