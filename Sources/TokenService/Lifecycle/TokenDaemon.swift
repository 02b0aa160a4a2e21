import FleetToken
import Logging
import NIOPosix
import ServiceLifecycle
package import ServiceSupport
import Synchronization
import TokenMinting
import UnixSignals

/// The service: the public listener for token requests, and the admin listener.
///
/// Its settings last until the next start.
package struct TokenDaemon: Service, CustomStringConvertible {
    /// The addresses of both listeners.
    package struct Addresses: Hashable, Sendable {
        /// The public listener.
        package var service: ListenAddress
        package var admin: ListenAddress
    }

    let addresses: Addresses
    var policy = ConnectionPolicy()
    var trustedProxies = TrustedProxies([])
    /// The maximum number of simultaneous outgoing connections.
    var outgoing = 0
    /// The time for which the service drains before it ends.
    var drain = Duration.zero
    var certificate: ServerCertificate?
    let responder: any Responder
    /// Returns the public keys' JSON as it is now.
    let keys: @Sendable () async throws -> [UInt8]
    /// Returns the checks of the service that is loaded now.
    let readiness: @Sendable () -> Readiness
    /// The components that run beside the listeners; they end after them.
    var background: [any Service] = []
    let shared: SharedResources
    let onReady: @Sendable (Addresses) -> Void
    package let description = "TokenDaemon"

    /// The maximum time for a graceful shutdown.
    var maximumShutdownDuration: Duration { drain + policy.request * 2 + .seconds(10) }

    /// Runs the service until a graceful shutdown is triggered; requests in progress are completed.
    ///
    /// - Throws: ``OperatorError`` that names all addresses on which it cannot listen.
    package func run() async throws { try await run(until: []) }

    /// Runs the service until SIGTERM or SIGINT; requests in progress are completed.
    ///
    /// - Throws: ``OperatorError`` that names all addresses on which it cannot listen.
    package func runUntilSignal() async throws { try await run(until: [.sigterm, .sigint]) }

    private func run(until signals: [UnixSignal]) async throws {
        // Starts its threads now: SwiftNIO ends the process when it needs them later and the system has none left.
        _ = NIOThreadPool.singleton
        var configuration = ServiceGroupConfiguration(
            services: services(),
            gracefulShutdownSignals: signals,
            logger: shared.logger
        )
        // Each connection has its own limits. This is a fallback for connections that stay open anyway.
        configuration.maximumGracefulShutdownDuration = maximumShutdownDuration
        do {
            try await ServiceGroup(configuration: configuration).run()
        } catch {
            throw error is OperatorError ? await addressProblems() ?? error : error
        }
    }
}

extension TokenDaemon {
    /// Returns the services of the group; they are shut down from the last to the first, one after the other.
    private func services() -> [any Service] {
        let bound = BoundAddresses(addresses, onComplete: onReady)
        let responder = AdminResponder(
            hosts: .admin(addresses.admin),
            keys: keys,
            readiness: readiness,
            recorder: shared.recorder
        )
        var admin = Listener(
            address: addresses.admin,
            responder: responder,
            lifecycle: shared.lifecycle,
            clock: shared.clock
        ) { bound.set(\.admin, to: $0) }
        // All clients of the admin listener may have one address, so an address may have all its connections.
        (admin.policy.maximumConnections, admin.policy.share) = (32, 1)
        let service = Listener(
            address: addresses.service,
            responder: self.responder,
            lifecycle: shared.lifecycle,
            clock: shared.clock,
            certificate: certificate,
            policy: allowedPolicy(),
            trustedProxies: trustedProxies,
            metrics: shared.metrics.connections
        ) { bound.set(\.service, to: $0) }
        return background + [admin, service, draining]
    }

    /// Delays shutdown, so that load balancers notice it and redirect callers.
    ///
    /// It is the last of the services in the group, so it is the first to be shut down, and the listeners keep running
    /// until it has finished.
    private var draining: BackgroundWork {
        BackgroundWork(description: "Draining") {
            try await gracefulShutdown()
            shared.lifecycle.drain()
            shared.logger.info(
                "Shutting down: readiness is off; requests are still served while the service drains.",
                metadata: ["drain": "\(drain)"]
            )
            guard drain > .zero else { return }
            try await shared.clock.sleep(for: drain)
        }
    }

    /// Returns the policy, with no more connections than available descriptors.
    private func allowedPolicy() -> ConnectionPolicy {
        var policy = policy
        let available = DescriptorLimit.raise(forConnections: policy.maximumConnections, outgoing: outgoing)
        if available < policy.maximumConnections {
            shared.logger.warning(
                "The system allows fewer open files than limits.connections needs, so fewer connections are accepted. Raise it (ulimit -n, or LimitNOFILE in systemd), or lower limits.connections.",
                metadata: ["connections": "\(available)"]
            )
            policy.maximumConnections = available
        }
        return policy
    }

    /// Returns the errors for all addresses that cannot be bound: the group ends with the first of them.
    private func addressProblems() async -> OperatorError? {
        let problems = [await addresses.service.problem(), await addresses.admin.problem()].compactMap {
            $0.map { Problem($0.text) }
        }
        return problems.isEmpty ? nil : OperatorError(problems: problems)
    }
}

/// The addresses of both listeners: as configured, and as they are once they listen.
private final class BoundAddresses: Sendable {
    private let state: Mutex<(addresses: TokenDaemon.Addresses, missing: Int)>
    private let onComplete: @Sendable (TokenDaemon.Addresses) -> Void

    init(_ addresses: TokenDaemon.Addresses, onComplete: @escaping @Sendable (TokenDaemon.Addresses) -> Void) {
        state = Mutex((addresses, 2))
        self.onComplete = onComplete
    }

    func set(_ listener: WritableKeyPath<TokenDaemon.Addresses, ListenAddress>, to address: ListenAddress) {
        let (addresses, missing) = state.withLock { state in
            state.addresses[keyPath: listener] = address
            state.missing -= 1
            return state
        }
        if missing == 0 { onComplete(addresses) }
    }
}
