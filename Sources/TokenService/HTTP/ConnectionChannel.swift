import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import ServiceSupport

/// The handlers of one connection: limits, TLS if there is a certificate, and HTTP/1.1.
///
/// ## How it works
///
/// ```
/// limit of connections ─► (TLS, handshake deadline) ─► codec ─► deadlines ─► RequestHandler
/// ```
///
/// All handlers of a connection run on its event loop, and so does each request's task until it waits.
struct ConnectionChannel: Sendable {
    private let listener: Listener
    private let limit: ConnectionLimit
    private let executors: [ObjectIdentifier: EventLoopExecutor]

    init(_ listener: Listener, on group: any EventLoopGroup) {
        self.listener = listener
        limit = ConnectionLimit(listener.policy, metrics: listener.metrics)
        executors = group.makeIterator().reduce(into: [:]) { $0[ObjectIdentifier($1)] = EventLoopExecutor($1) }
    }

    /// Gives a new connection its handlers, or closes it.
    func setUp(_ channel: any Channel) throws {
        let peer = Peer(channel.remoteAddress)
        let address = peer.isTrusted(by: listener.trustedProxies) ? nil : peer.address
        guard limit.admits(channel, from: address) else {
            channel.close(promise: nil)
            return
        }
        try limitTurn(of: channel)
        guard let certificate = listener.certificate else {
            try addHTTP(to: channel, peer)
            return
        }
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(NIOSSLServerHandler(context: certificate.context))
        try pipeline.addHandler(HandshakeHandler(listener.policy) { channel in try addHTTP(to: channel, peer) })
    }

    /// Limits how much of one connection is processed per turn, and how much is buffered for it.
    ///
    /// Requests and responses are small. By default NIO would read 256 KiB of one connection at a time, and the system
    /// buffers megabytes of responses for a client that does not read.
    private func limitTurn(of channel: any Channel) throws {
        guard let options = channel.syncOptions else { return }
        let buffers = AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: 2048, maximum: 16 * 1024)
        try options.setOption(.recvAllocator, value: buffers)
        try options.setOption(.maxMessagesPerRead, value: 1)
        try options.setOption(.socketOption(.so_sndbuf), value: 64 * 1024)
    }

    private func addHTTP(to channel: any Channel, _ peer: Peer) throws {
        let policy = listener.policy
        var decoderLimits = NIOHTTPDecoderLimitConfiguration()
        decoderLimits.maxHeaderFieldSize = ConnectionPolicy.maximumHeaderSize
        decoderLimits.maxHeaderListSize = ConnectionPolicy.maximumHeaderSize
        decoderLimits.maxHeaderFieldCount = ConnectionPolicy.maximumHeaderFields
        let executor = executors[ObjectIdentifier(channel.eventLoop)] ?? EventLoopExecutor(channel.eventLoop)
        try channel.pipeline.syncOperations.addHandlers(
            ClosingHandler(policy),
            ReceiptHandler(),
            ByteToMessageHandler(
                HTTPRequestDecoder(limitConfiguration: decoderLimits),
                maximumBufferSize: ConnectionPolicy.maximumUnparsedSize
            ),
            HTTP1Codec(isSecure: listener.certificate != nil, fields: listener.fields, listener.lifecycle, policy),
            DeadlineHandler(policy),
            ProtocolErrorHandler(response: listener.errorResponse),
            RequestHandler(listener.responder, peer, on: executor)
        )
    }
}
