import FleetToken
import Logging
import NIOSSL
public import ServiceLifecycle
import Synchronization
import TokenMinting

/// The service: the public listener, where tokens are asked for, and the admin listener.
public struct TokenService: Service {
    /// The version of this build.
    public static let version = "0.1.0"

    /// Where both listeners listen.
    public struct Addresses: Hashable, Sendable {
        /// The public listener.
        public let service: ListenAddress
        /// The admin listener.
        public let admin: ListenAddress
    }

    private let addresses: Addresses
    private let tls: TLSConfiguration?
    private let limits: LimitsConfiguration
    private let trustedProxies: [AddressRange]
    private let responder: TokenResponder
    private let adminResponder: AdminResponder
    /// What the responders need running; it ends after the listeners.
    private let beside: [any Service]
    private let logger: Logger
    private let onReady: @Sendable (Addresses) -> Void
    private let onEnd: @Sendable () async -> Void

    init(
        addresses: Addresses,
        tls: TLSConfiguration? = nil,
        limits: LimitsConfiguration = .init(),
        trustedProxies: [AddressRange] = [],
        responder: TokenResponder,
        adminResponder: AdminResponder,
        beside: [any Service] = [],
        logger: Logger,
        onReady: @escaping @Sendable (Addresses) -> Void,
        onEnd: @escaping @Sendable () async -> Void = {}
    ) {
        self.addresses = addresses
        self.tls = tls
        self.limits = limits
        self.trustedProxies = trustedProxies
        self.responder = responder
        self.adminResponder = adminResponder
        self.beside = beside
        self.logger = logger
        self.onReady = onReady
        self.onEnd = onEnd
    }

    /// Serves until a graceful shutdown is asked for; requests under way are answered first.
    public func run() async throws {
        var limits = limits
        let places = DescriptorLimit.raise(forConnections: limits.connections)
        if places < limits.connections {
            logger.warning(
                "The system allows fewer open files than limits.connections needs, so fewer connections are accepted. Raise it (ulimit -n, or LimitNOFILE in systemd), or lower limits.connections.",
                metadata: ["connections": "\(places)"]
            )
            limits.connections = places
        }
        var adminLimits = LimitsConfiguration()
        adminLimits.connections = 32
        let bound = Mutex<(service: ListenAddress?, admin: ListenAddress?)>((nil, nil))
        let report: @Sendable (ListenAddress?, ListenAddress?) -> Void = { service, admin in
            let complete = bound.withLock { bound -> Addresses? in
                bound = (service ?? bound.service, admin ?? bound.admin)
                guard let service = bound.service, let admin = bound.admin else { return nil }
                return Addresses(service: service, admin: admin)
            }
            if let complete { onReady(complete) }
        }
        let services: [any Service] = [
            Listener(
                address: addresses.admin,
                responder: adminResponder,
                limits: adminLimits,
                logger: logger,
                onListening: { report(nil, $0) }
            ),
            Listener(
                address: addresses.service,
                responder: responder,
                tls: tls,
                limits: limits,
                trustedProxies: trustedProxies,
                metrics: responder.metrics.limits,
                logger: logger,
                onListening: { report($0, nil) }
            ),
        ]
        do {
            try await ServiceGroup(configuration: .init(services: beside + services, logger: logger)).run()
        } catch {
            await onEnd()
            throw error
        }
        await onEnd()
    }
}

extension TokenService: CustomStringConvertible {
    /// Its name; what runs it logs this, and would otherwise log all that it is made of.
    public var description: String { "TokenService" }
}
