package import HTTPTypes
import Logging
import NIOCore
import NIOExtras
import NIOPosix
import ServiceLifecycle
package import ServiceSupport

/// One HTTP listener, with the limits of both listeners.
package struct Listener: Service, CustomStringConvertible {
    let address: ListenAddress
    let responder: any Responder
    /// Creates the response to a request that the responder does not get.
    let errorResponse: @Sendable (ProtocolError) -> Response
    let lifecycle: Lifecycle
    package var certificate: ServerCertificate?
    package var policy = ConnectionPolicy()
    package var trustedProxies: [AddressRange] = []
    /// Header fields of every response, those to protocol errors included.
    package var fields: HTTPFields = [:]
    /// Metrics of connections: those that are open, and those refused because there were too many.
    package var metrics: (open: Gauge, refused: Counter)?
    /// Called once, with the port that the system chose where none was given.
    let onListening: @Sendable (ListenAddress) -> Void
    /// The service group logs this instead of all properties.
    package var description: String { "Listener(\(address))" }

    package init(
        address: ListenAddress,
        responder: any Responder,
        errorResponse: @escaping @Sendable (ProtocolError) -> Response,
        lifecycle: Lifecycle,
        onListening: @escaping @Sendable (ListenAddress) -> Void
    ) {
        self.address = address
        self.responder = responder
        self.errorResponse = errorResponse
        self.lifecycle = lifecycle
        self.onListening = onListening
    }

    /// Listens until a graceful shutdown is triggered and all open connections have closed.
    func run() async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        let connections = ServerQuiescingHelper(group: group)
        let channel: any Channel
        do {
            channel = try await bootstrap(group, connections).bind(host: address.host, port: address.port).get()
        } catch {
            guard let obstacle = address.problem(error) else { throw error }
            throw ConfigurationError(obstacle)
        }
        let ended = group.any().makePromise(of: Void.self)
        onListening(ListenAddress(host: address.host, port: channel.localAddress?.port ?? address.port))
        try await withTaskCancellationHandler {
            try await withGracefulShutdownHandler {
                try await ended.futureResult.get()
            } onGracefulShutdown: {
                connections.initiateShutdown(promise: ended)
            }
        } onCancel: {
            channel.close(promise: nil)
            ended.fail(CancellationError())
        }
    }

    private func bootstrap(_ group: any EventLoopGroup, _ connections: ServerQuiescingHelper) -> ServerBootstrap {
        let connection = ConnectionChannel(self, on: group)
        return ServerBootstrap(group: group)
            // The queue for connections that arrive faster than they are accepted; without a place in it, a client
            // retries only a second later. The system reduces it to its maximum.
            .serverChannelOption(.backlog, value: 4096)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        connections.makeServerChannelHandler(channel: channel)
                    )
                }
            }
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try connection.setUp(channel) }
            }
    }
}
