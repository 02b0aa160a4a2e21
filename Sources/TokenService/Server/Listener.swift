import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOCore
import NIOSSL
import ServiceLifecycle

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// One HTTP listener, with the limits that both of ours have.
struct Listener<Responder: HTTPResponder>: Service where Responder.Context == RequestContext {
    let address: ListenAddress
    let responder: Responder
    var tls: TLSConfiguration?
    var limits = LimitsConfiguration()
    var trustedProxies: [AddressRange] = []
    /// Counts connections; nil where nobody wants to know.
    var metrics: LimitMetrics?
    let logger: Logger
    /// Called once, with the port that the system chose where none was given.
    let onListening: @Sendable (ListenAddress) -> Void

    func run() async throws {
        let application = Application(
            responder: responder,
            server: try server(),
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
        } catch let error as IOError {
            throw ConfigurationError("Cannot listen on \(address): \(Self.hint(error.errnoCode))")
        } catch is SocketAddressError {
            throw ConfigurationError("Cannot listen on \(address): no such host. Give an address of this machine.")
        }
    }

    private func server() throws -> HTTPServerBuilder {
        let limits = limits
        let proxies = ClientAddress(trustedProxies: trustedProxies)
        let counter = ConnectionCounter(
            maximum: limits.connections,
            maximumPerAddress: limits.connectionsPerAddress,
            metrics: metrics,
            isShared: { proxies.isTrusted($0) }
        )
        let http = HTTPServerBuilder.http1(
            configuration: .init(
                additionalChannelHandlers: [
                    ConnectionLimitHandler(counter),
                    DeadlineHandler(
                        receive: .seconds(Int64(limits.receive)),
                        handle: .seconds(Int64(limits.handle)),
                        idle: .seconds(Int64(limits.idle))
                    ),
                    ProtocolErrorHandler(),
                ],
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: 16 * 1024,
                    maxHeaderListSize: 16 * 1024,
                    maxHeaderFieldCount: 100
                )
            )
        )
        guard let tls else { return http }
        return try .tls(http, tlsConfiguration: tls)
    }

    private static func hint(_ code: CInt) -> String {
        switch code {
        case EADDRINUSE: "it is in use. Stop the process that has it, or choose another port."
        case EADDRNOTAVAIL: "it is not an address of this machine."
        case EACCES: "permission denied. Ports below 1024 need a privilege; choose a higher one."
        default: "the system refuses it (error \(code))."
        }
    }
}

extension Listener: CustomStringConvertible {
    /// What runs it logs this, and would otherwise log all that it is made of.
    var description: String { "Listener(\(address))" }
}
