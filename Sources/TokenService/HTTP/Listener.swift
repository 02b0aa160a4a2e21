import Logging
import Metrics
import NIOCore
import NIOExtras
import NIOHTTP1
import NIOPosix
import NIOSSL
import ServiceLifecycle
import ServiceSupport

/// One HTTP listener, with the limits of both listeners.
///
/// A connection has these handlers, which all run on its event loop:
///
///     (TLS) ─► parser ─► HTTPConnection ─► Responder
struct Listener: Service, CustomStringConvertible {
    let address: ListenAddress
    let responder: any Responder
    let lifecycle: Lifecycle
    let clock: ServiceClock
    var certificate: ServerCertificate?
    var policy = ConnectionPolicy()
    var trustedProxies = TrustedProxies([])
    /// Metrics of connections: those that are open, and those refused because there were too many.
    var metrics: (open: Meter, refused: Counter)?
    /// Called once, with the port that the system chose where none was given.
    let onListening: @Sendable (ListenAddress) -> Void
    var description: String { "Listener(\(address))" }

    /// Listens until a graceful shutdown is triggered and all open connections have closed.
    func run() async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        let connections = ServerQuiescingHelper(group: group)
        let channel: any Channel
        do {
            channel = try await bootstrap(group, connections).bind(host: address.host, port: address.port).get()
        } catch {
            guard let problem = address.problem(error) else { throw error }
            throw OperatorError(problem)
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
        let limit = ConnectionLimit(policy, metrics: metrics)
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
            // Requests and responses are small. By default NIO would read 256 KiB of one connection at a time, and the
            // system buffers megabytes of responses for a client that does not read.
            .childChannelOption(
                .recvAllocator,
                value: AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: 2048, maximum: 16 * 1024)
            )
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(.socketOption(.so_sndbuf), value: 64 * 1024)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try setUp(channel, limit: limit) }
            }
    }

    /// Gives a new connection its handlers, or closes it.
    private func setUp(_ channel: any Channel, limit: ConnectionLimit) throws {
        let address = AddressRange.canonical(channel.remoteAddress?.ipAddress ?? "unknown")
        guard limit.admits(channel, from: trustedProxies.contains(address) ? nil : address) else {
            channel.close(promise: nil)
            return
        }
        let pipeline = channel.pipeline.syncOperations
        if let certificate { try pipeline.addHandler(NIOSSLServerHandler(context: certificate.context)) }
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = ConnectionPolicy.maximumHeaderSize
        limits.maxHeaderListSize = ConnectionPolicy.maximumHeaderSize
        limits.maxHeaderFieldCount = ConnectionPolicy.maximumHeaderFields
        try pipeline.addHandlers(
            ByteToMessageHandler(
                HTTPRequestDecoder(limitConfiguration: limits),
                maximumBufferSize: ConnectionPolicy.maximumUnparsedSize
            ),
            HTTPConnection(self, from: address, on: channel.eventLoop)
        )
    }
}
