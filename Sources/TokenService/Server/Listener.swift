import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle

/// One HTTP listener, with the limits that both of ours have.
struct Listener<Responder: HTTPResponder>: Service where Responder.Context == RequestContext {
    let address: ListenAddress
    let responder: Responder
    var certificate: ServerCertificate?
    var limits = LimitsConfiguration()
    var trustedProxies: [AddressRange] = []
    let lifecycle: Lifecycle
    /// Counts connections; nil where nobody wants to know.
    var metrics: LimitMetrics?
    let logger: Logger
    /// Called once, with the port that the system chose where none was given.
    let onListening: @Sendable (ListenAddress) -> Void

    func run() async throws {
        let limits = ConnectionLimits(limits, trustedProxies: trustedProxies, metrics: metrics)
        let server = HTTPServerBuilder { responder in
            ConnectionChannel(certificate: certificate, limits: limits, lifecycle: lifecycle, responder: responder)
        }
        let application = Application(
            responder: responder,
            server: server,
            configuration: .init(
                address: .hostname(address.host, port: address.port),
                // Connections that come faster than they are accepted wait here; one that finds no place tries again
                // only a second later. The system cuts it to what it allows.
                backlog: 4096
            ),
            onServerRunning: { channel in
                onListening(ListenAddress(host: address.host, port: channel.localAddress?.port ?? address.port))
            },
            logger: logger
        )
        do {
            try await application.run()
        } catch {
            guard let obstacle = address.obstacle(error) else { throw error }
            throw ConfigurationError(obstacle)
        }
    }
}

extension Listener: CustomStringConvertible {
    /// What runs it logs this, and would otherwise log all that it is made of.
    var description: String { "Listener(\(address))" }
}
