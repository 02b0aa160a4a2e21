import FleetToken
import HTTPServer
import Logging
import NIOPosix
import ServiceLifecycle
package import ServiceSupport
import Synchronization
import TokenMinting

/// The service: the public listener for token requests, and the admin listener.
package struct TokenServer: Service {
    /// The addresses of both listeners.
    package struct Addresses: Hashable, Sendable {
        /// The public listener.
        package let service: ListenAddress
        package let admin: ListenAddress
    }

    /// The settings of the listeners, which last until the next start.
    struct Settings {
        let addresses: Addresses
        var limits = ConnectionLimits()
        var trustedProxies: [AddressRange] = []
        /// The maximum number of simultaneous outgoing connections.
        var outgoing = 0
        /// The time for which the service drains before it ends.
        var drain = Duration.zero
        /// The sockets that the service manager passed; nil for none.
        var sockets: PassedSockets?
    }

    let settings: Settings
    var certificate: ServerCertificate?
    let responder: any Responder
    let adminResponder: AdminResponder
    /// The components that run beside the listeners; they end after them.
    var background: [any Service] = []
    let lifecycle: Lifecycle
    var manager: ServiceManager?
    let clock: ServiceClock
    let logger: Logger
    let onReady: @Sendable (Addresses) -> Void
    var onEnd: @Sendable () async -> Void = {}

    /// The maximum time from the request to end until ``run()`` returns.
    package var longestEnd: Duration {
        settings.drain + .seconds(settings.limits.receive + settings.limits.handle + 10)
    }

    /// Runs the service until a graceful shutdown is triggered; requests in progress are completed.
    ///
    /// - Throws: ``ConfigurationError`` that names all addresses on which it cannot listen.
    package func run() async throws {
        // Starts its threads now: SwiftNIO ends the process when it needs them later and the system has none left.
        _ = NIOThreadPool.singleton
        let limits = allowedLimits()
        var configuration = ServiceGroupConfiguration(services: services(limits), logger: logger)
        // Each connection has its own limits. This is a fallback for connections that stay open anyway.
        configuration.maximumGracefulShutdownDuration = longestEnd
        do {
            try await ServiceGroup(configuration: configuration).run()
        } catch {
            await onEnd()
            throw error is ConfigurationError ? await addressProblems() ?? error : error
        }
        await onEnd()
    }
}

extension TokenServer {
    /// Returns the services of the group; they are shut down from the last to the first, one after the other.
    private func services(_ limits: ConnectionLimits) -> [any Service] {
        let (manager, onReady) = (manager, onReady)
        let bound = BoundAddresses { addresses in
            manager?.ready()
            onReady(addresses)
        }
        var admin = listener(settings.addresses.admin, adminResponder, onListening: bound.add(admin:))
        // Tools do not authenticate there, so that the one idle longest yields to a new one.
        (admin.policy.maximumConnections, admin.policy.share) = (32, 1)
        var service = listener(settings.addresses.service, responder, onListening: bound.add(service:))
        service.certificate = certificate
        service.policy = ConnectionPolicy(limits)
        service.trustedProxies = settings.trustedProxies
        service.metrics = adminResponder.metrics.connections
        var services: [any Service] =
            background + [
                EventLoopLag(
                    of: MultiThreadedEventLoopGroup.singleton,
                    in: adminResponder.metrics.eventLoopLag
                ),
                admin, service,
            ]
        if let manager, let interval = manager.watchdogInterval {
            services.append(
                // Systemd restarts a service that is silent.
                RepeatedWork(description: "Watchdog", interval: interval, clock: clock) {
                    guard let admin = bound.admin, await HealthCheck.problem(.isAlive, admin: admin) == nil else {
                        return
                    }
                    manager.alive()
                }
            )
        }
        services.append(
            DrainService(
                lifecycle: lifecycle,
                delay: settings.drain,
                manager: manager,
                clock: clock,
                logger: logger
            )
        )
        return services
    }

    /// Returns the limits, with no more connections than available descriptors.
    private func allowedLimits() -> ConnectionLimits {
        var limits = settings.limits
        let available = DescriptorLimit.raise(forConnections: limits.connections, outgoing: settings.outgoing)
        if available < limits.connections {
            logger.warning(
                "The system allows fewer open files than limits.connections needs, so fewer connections are accepted. Raise it (ulimit -n, or LimitNOFILE in systemd), or lower limits.connections.",
                metadata: ["connections": "\(available)"]
            )
            limits.connections = available
        }
        return limits
    }

    /// Returns the errors for all addresses that cannot be bound: the group ends with the first of them.
    private func addressProblems() async -> ConfigurationError? {
        let addresses = settings.addresses
        let problems = [await addresses.service.problem(), await addresses.admin.problem()].compactMap {
            $0.map { Problem($0.text) }
        }
        return problems.isEmpty ? nil : ConfigurationError(problems: problems)
    }

    /// Returns a listener with what both have in common.
    private func listener(
        _ address: ListenAddress,
        _ responder: any Responder,
        onListening: @escaping @Sendable (ListenAddress) -> Void
    ) -> Listener {
        var listener = Listener(
            address: address,
            responder: responder,
            lifecycle: lifecycle,
            clock: clock,
            onListening: onListening
        )
        listener.errorResponse = { Response($0) }
        listener.sockets = settings.sockets
        return listener
    }
}

extension TokenServer: CustomStringConvertible {
    /// Its name; the service group logs this instead of all properties.
    package var description: String { "TokenServer" }
}

extension ConnectionPolicy {
    /// Creates the policy of the public listener from the configured limits.
    package init(_ limits: ConnectionLimits) {
        self.init()
        maximumConnections = limits.connections
        idle = .seconds(limits.idle)
        receive = .seconds(limits.receive)
        handle = .seconds(limits.handle)
    }
}

/// The addresses of both listeners, once they are bound.
private final class BoundAddresses: Sendable {
    private let bound = Mutex<(service: ListenAddress?, admin: ListenAddress?)>((nil, nil))
    private let onComplete: @Sendable (TokenServer.Addresses) -> Void

    /// - Parameter onComplete: Called once, when both listeners are bound.
    init(onComplete: @escaping @Sendable (TokenServer.Addresses) -> Void) {
        self.onComplete = onComplete
    }

    /// The admin listener's, once it listens.
    var admin: ListenAddress? { bound.withLock { $0.admin } }

    @Sendable
    func add(service address: ListenAddress) { add { $0.service = address } }

    @Sendable
    func add(admin address: ListenAddress) { add { $0.admin = address } }

    private func add(_ change: (inout (service: ListenAddress?, admin: ListenAddress?)) -> Void) {
        let bound = bound.withLock { bound in
            change(&bound)
            return bound
        }
        if let service = bound.service, let admin = bound.admin {
            onComplete(TokenServer.Addresses(service: service, admin: admin))
        }
    }
}
