import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP2
import NIOHTTPTypes
import NIOSSL
import NIOTLS

/// What happens on one connection: its limits, TLS where there is a certificate, and HTTP/1.1 or HTTP/2 on top.
struct ConnectionChannel: HTTPChannelHandler {
    typealias Requests = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

    /// What the two ends agreed on.
    enum Conversation: Sendable {
        /// One request after another.
        case http1(Requests)
        /// Each request on a stream of its own.
        case http2(NIOHTTP2Handler.AsyncStreamMultiplexer<Requests>)
    }

    /// A connection, and what it speaks once that is known.
    struct Value: ServerChildChannelValue {
        let channel: any Channel
        let conversation: EventLoopFuture<Conversation>
    }

    let responder: Responder
    let certificate: ServerCertificate?
    let limits: ConnectionLimits
    let lifecycle: Lifecycle

    init(
        certificate: ServerCertificate?,
        limits: ConnectionLimits,
        lifecycle: Lifecycle,
        responder: @escaping Responder
    ) {
        self.certificate = certificate
        self.limits = limits
        self.lifecycle = lifecycle
        self.responder = { request, writer, channel in
            // A client that pipelines has its next request here already, and would never leave the thread to others.
            await Task.yield()
            try await responder(request, writer, channel)
        }
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(ConnectionLimitHandler(limits.connections))
            try limitTurn(of: channel)
            guard let certificate else {
                let requests = try http1(channel)
                return Value(
                    channel: channel,
                    conversation: channel.eventLoop.makeSucceededFuture(.http1(requests))
                )
            }
            try pipeline.addHandler(NIOSSLServerHandler(context: certificate.context))
            try pipeline.addHandler(HandshakeDeadlineHandler(limits.configuration))
            let negotiation = NIOTypedApplicationProtocolNegotiationHandler<Conversation> { result, channel in
                channel.eventLoop.makeCompletedFuture {
                    result == .negotiated("h2") ? .http2(try http2(channel)) : .http1(try http1(channel))
                }
            }
            try pipeline.addHandler(negotiation)
            return Value(channel: channel, conversation: negotiation.protocolNegotiationResult)
        }
    }

    func handle(value: Value, logger: Logger) async {
        // A handshake that fails, or a connection that breaks, is no news: both are everyday on the network.
        switch try? await value.conversation.get() {
        case .http1(let requests): await handleHTTP(asyncChannel: requests, logger: logger)
        case .http2(let streams):
            try? await withThrowingDiscardingTaskGroup { group in
                for try await stream in streams.inbound {
                    group.addTask { await handleHTTP(asyncChannel: stream, logger: logger) }
                }
            }
        case nil: break
        }
    }

    /// Limits what one connection takes before it is another's turn, and what it leaves lying.
    ///
    /// Requests and answers are small. As it is, NIO would read 256 KiB of one connection at a time, which may be 20,000
    /// frames, and the system keeps megabytes of answers for a client that asks and doesn't read.
    private func limitTurn(of channel: any Channel) throws {
        guard let options = channel.syncOptions else { return }
        let buffers = AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: 2048, maximum: 16 * 1024)
        try options.setOption(.recvAllocator, value: buffers)
        try options.setOption(.maxMessagesPerRead, value: 1)
        try options.setOption(.socketOption(.so_sndbuf), value: 64 * 1024)
    }
}
