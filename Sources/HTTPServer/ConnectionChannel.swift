import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOHTTPTypes
import NIOHTTPTypesHTTP2
import NIOSSL
import NIOTLS
import ServiceSupport

/// The handlers of one connection: limits, TLS if there is a certificate, and HTTP/1.1 or HTTP/2.
///
/// ## How it works
///
/// ```
/// HTTP/1.1   limits ─► (TLS, handshake deadline) ─► codec ─► deadlines ─► RequestHandler
/// HTTP/2     limits ─► TLS, handshake deadline ─► frames and their limits ─► one channel for each stream: RequestHandler
/// ```
///
/// The TLS handshake selects the protocol (ALPN); a connection without TLS is HTTP/1.1. All handlers of a connection run on its
/// event loop, and so does each request's task until it waits.
struct ConnectionChannel: Sendable {
    private let listener: Listener
    private let connections: ConnectionCounter
    /// Each stream costs as much as an HTTP/1.1 connection, so the same limit applies to their total.
    private let streams: ConnectionCounter

    private var policy: ConnectionPolicy { listener.policy }

    /// Creates the handlers of a listener's connections.
    init(_ listener: Listener) {
        self.listener = listener
        let proxies = ClientAddress(trustedProxies: listener.trustedProxies)
        func counter(_ metrics: ConnectionMetrics?) -> ConnectionCounter {
            ConnectionCounter(
                maximum: listener.policy.maximumConnections,
                maximumPerAddress: listener.policy.maximumConnectionsPerAddress,
                metrics: metrics,
                isShared: { AddressRange.bytes(of: $0).map { proxies.isTrusted($0) } ?? false }
            )
        }
        connections = counter(listener.metrics)
        streams = counter(nil)
    }

    /// Gives a new connection its handlers.
    func setUp(_ channel: any Channel) throws {
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(
            ConnectionLimitHandler(
                connections,
                refusal: listener.certificate == nil ? .response(listener.errorResponse, listener.clock) : .none
            )
        )
        try limitTurn(of: channel)
        guard let certificate = listener.certificate else {
            try configureHTTP1(on: channel)
            return
        }
        try pipeline.addHandler(NIOSSLServerHandler(context: certificate.context(for: channel)))
        try pipeline.addHandler(HandshakeDeadlineHandler(policy))
        try pipeline.addHandler(
            ApplicationProtocolNegotiationHandler { result, channel in
                channel.eventLoop.makeCompletedFuture {
                    if result == .negotiated("h2") {
                        try configureHTTP2(on: channel)
                    } else {
                        try configureHTTP1(on: channel)
                    }
                }
            }
        )
    }

    /// Limits how much of one connection is processed per turn, and how much is buffered for it.
    ///
    /// Requests and responses are small. By default NIO would read 256 KiB of one connection at a time, which may be
    /// 20,000 frames, and the system buffers megabytes of responses for a client that does not read.
    private func limitTurn(of channel: any Channel) throws {
        guard let options = channel.syncOptions else { return }
        let buffers = AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: 2048, maximum: 16 * 1024)
        try options.setOption(.recvAllocator, value: buffers)
        try options.setOption(.maxMessagesPerRead, value: 1)
        try options.setOption(.socketOption(.so_sndbuf), value: 64 * 1024)
    }
}

extension ConnectionChannel {
    /// Adds the handlers of an HTTP/1.1 connection.
    private func configureHTTP1(on channel: any Channel) throws {
        let pipeline = channel.pipeline.syncOperations
        var decoderLimits = NIOHTTPDecoderLimitConfiguration()
        decoderLimits.maxHeaderFieldSize = ConnectionPolicy.maximumHeaderSize
        decoderLimits.maxHeaderListSize = ConnectionPolicy.maximumHeaderSize
        decoderLimits.maxHeaderFieldCount = ConnectionPolicy.maximumHeaderFields
        try pipeline.addHandlers(
            ClosingHandler(policy),
            ReceiptHandler(),
            ByteToMessageHandler(
                HTTPRequestDecoder(limitConfiguration: decoderLimits),
                maximumBufferSize: ConnectionPolicy.maximumUnparsedSize
            ),
            HTTP1Codec(isSecure: listener.certificate != nil),
            DeadlineHandler(policy),
            DrainHandler(listener.lifecycle, policy),
            ProtocolErrorHandler(response: listener.errorResponse),
            RequestHandler(listener.responder, Peer(channel), on: channel.eventLoop)
        )
    }

    /// Adds the handlers of an HTTP/2 connection.
    private func configureHTTP2(on channel: any Channel) throws {
        let pipeline = channel.pipeline.syncOperations
        let peer = Peer(channel)
        let connection = HTTP2ConnectionHandler(policy, listener.lifecycle)
        try pipeline.addHandler(ClosingHandler(policy))
        let multiplexer = try pipeline.configureAsyncHTTP2Pipeline(
            mode: .server,
            streamDelegate: HTTP2ConnectionHandler.Streams(connection, on: channel.eventLoop),
            frameDelegate: connection,
            configuration: Self.http2Limits
        ) { stream in
            stream.eventLoop.makeCompletedFuture {
                let refused = HTTP2Frame.FramePayload.rstStream(.refusedStream)
                try stream.pipeline.syncOperations.addHandlers(
                    ConnectionLimitHandler(streams, refusal: .frame(NIOAny(refused))),
                    HTTP2FramePayloadToHTTPServerCodec(),
                    HTTP2ResponseHandler(),
                    DeadlineHandler(policy),
                    ProtocolErrorHandler(isStream: true, response: listener.errorResponse),
                    RequestHandler(listener.responder, peer, on: stream.eventLoop)
                )
            }
        }
        try pipeline.addHandler(connection)
        // Each stream has its handlers; this only removes it from the list of new streams, which would grow.
        Task(executorPreference: EventLoopExecutor(channel.eventLoop)) {
            for try await _ in multiplexer.inbound {}
        }
    }

    /// The limits for frames that only attackers send in such numbers; exceeding one closes the connection.
    private static let http2Limits: NIOHTTP2Handler.Configuration = {
        var configuration = NIOHTTP2Handler.Configuration()
        configuration.connection.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: ConnectionPolicy.maximumStreams),
            HTTP2Setting(parameter: .maxHeaderListSize, value: ConnectionPolicy.maximumHeaderSize),
        ]
        // Frames that wait for a client which doesn't read.
        configuration.connection.maximumBufferedControlFrames = 500
        // One field block fits into one frame, so a few more than one are generous.
        configuration.connection.maximumSequentialContinuationFrames = 5
        // PING, SETTINGS and PRIORITY.
        configuration.connection.controlFrameRateLimit.maximumCount = 100
        configuration.connection.controlFrameRateLimit.windowLength = .seconds(10)
        // Streams that are opened and reset at once, so that the work is done and the limit on streams never reached.
        configuration.stream.streamResetFrameRateLimit.maximumCount = 100
        configuration.stream.streamResetFrameRateLimit.windowLength = .seconds(10)
        configuration.stream.streamErrorRateLimit.maximumCount = 100
        configuration.stream.streamErrorRateLimit.windowLength = .seconds(10)
        return configuration
    }()
}
