import Hummingbird
import HummingbirdCore
import Logging
import NIOCore

/// One HTTP listener with the limits that both of ours have.
enum Listener {
    /// How long a connection may be silent, whether between requests or in the midst of one.
    static let idleTimeout = TimeAmount.seconds(60)

    /// Makes the application that serves a responder at an address.
    static func application<Responder: HTTPResponder>(
        _ responder: Responder,
        at address: ListenAddress,
        logger: Logger,
        onRunning: @escaping @Sendable (ListenAddress) -> Void
    ) -> Application<Responder> where Responder.Context == RequestContext {
        Application(
            responder: responder,
            server: .http1(
                configuration: .init(
                    additionalChannelHandlers: [ProtocolErrorHandler()],
                    idleTimeout: idleTimeout,
                    httpDecoderConfiguration: .init(
                        maxHeaderFieldSize: 16 * 1024,
                        maxHeaderListSize: 16 * 1024,
                        maxHeaderFieldCount: 100
                    )
                )
            ),
            configuration: .init(address: .hostname(address.host, port: address.port)),
            onServerRunning: { channel in
                onRunning(ListenAddress(host: address.host, port: channel.localAddress?.port ?? address.port))
            },
            logger: logger
        )
    }
}
