import HTTPTypes
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
/// HTTP/1.1   place ─► (TLS, handshake deadline) ─► codec ─► deadlines ─► RequestHandler
/// HTTP/2     place ─► TLS, handshake deadline ─► frames and their limits ─► one channel and place for each stream: RequestHandler
/// ```
///
/// The TLS handshake selects the protocol (ALPN); a connection without TLS is HTTP/1.1. All handlers of a connection run on its
/// event loop, and so does each request's task until it waits.
struct ConnectionChannel: Sendable {
    private let listener: Listener
    private let connections: ConnectionPlaces
    /// Each stream costs as much as an HTTP/1.1 connection, so the same rule applies to their total.
    private let streams: ConnectionPlaces

    init(_ listener: Listener) {
        self.listener = listener
        connections = ConnectionPlaces(listener.policy, metrics: listener.metrics)
        streams = ConnectionPlaces(listener.policy)
    }

    /// Gives a new connection its handlers, or closes it.
    func setUp(_ channel: any Channel) throws {
        let address = channel.remoteAddress?.ipAddress ?? "unknown"
        let isProxy = AddressRange.bytes(of: address).map { listener.trustedProxies.contains($0) } ?? false
        let client = isProxy ? nil : ClientNetwork(of: address)
        let place = connections.take(for: client, channel) { Self.close(channel) }
        // Before a TLS handshake a response could not be read, and a handshake costs as much as a token.
        guard let place, !place.isRefused || listener.certificate == nil else {
            channel.close(promise: nil)
            return
        }
        try limitTurn(of: channel)
        guard let certificate = listener.certificate else {
            try configureHTTP1(on: channel, place)
            return
        }
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(NIOSSLServerHandler(context: certificate.context(for: channel)))
        try pipeline.addHandler(HandshakeDeadlineHandler(listener.policy))
        try pipeline.addHandler(
            ApplicationProtocolNegotiationHandler { result, channel in
                channel.eventLoop.makeCompletedFuture {
                    if result == .negotiated("h2") {
                        try configureHTTP2(on: channel, place, client)
                    } else {
                        try configureHTTP1(on: channel, place)
                    }
                }
            }
        )
    }

    /// Closes a connection at once, without waiting for the client's end of TLS.
    private static func close(_ channel: any Channel) {
        channel.eventLoop.execute {
            let tls = try? channel.pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self)
            if let tls { tls.close(promise: nil) } else { channel.close(promise: nil) }
        }
    }

    /// Refuses a stream, which its client may repeat then (RFC 9113 section 8.7).
    private static func refuse(_ stream: any Channel) {
        stream.eventLoop.execute {
            let pipeline = stream.pipeline.syncOperations
            let frame = HTTP2Frame.FramePayload.rstStream(.refusedStream)
            if let codec = try? pipeline.context(handlerType: HTTP2FramePayloadToHTTPServerCodec.self) {
                codec.writeAndFlush(NIOAny(frame), promise: nil)
            } else {
                pipeline.writeAndFlush(NIOAny(frame), promise: nil)
            }
            stream.close(promise: nil)
        }
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
    private func configureHTTP1(on channel: any Channel, _ place: ConnectionPlace) throws {
        let pipeline = channel.pipeline.syncOperations
        let peer = Peer(channel.remoteAddress, certificate: PeerCertificate(channel))
        var (responder, errorResponse, policy) = (listener.responder, listener.errorResponse, listener.policy)
        if place.isRefused {
            let refusal = Refusal(by: listener)
            (responder, errorResponse) = (refusal, { _ in refusal.response })
            policy.receive = min(policy.receive, Refusal.limit)
        }
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
            HTTP1Codec(isSecure: listener.certificate != nil, fields: listener.fields, listener.lifecycle, policy),
            DeadlineHandler(policy),
            ProtocolErrorHandler(response: errorResponse),
            RequestHandler(responder, peer, at: place, on: channel.eventLoop)
        )
    }

    /// Adds the handlers of an HTTP/2 connection.
    private func configureHTTP2(on channel: any Channel, _ place: ConnectionPlace, _ client: ClientNetwork?) throws {
        let pipeline = channel.pipeline.syncOperations
        let peer = Peer(channel.remoteAddress, certificate: PeerCertificate(channel))
        let policy = listener.policy
        let connection = HTTP2ConnectionHandler(policy, listener.lifecycle)
        try pipeline.addHandler(ClosingHandler(policy))
        let multiplexer = try pipeline.configureAsyncHTTP2Pipeline(
            mode: .server,
            streamDelegate: HTTP2ConnectionHandler.Streams(connection, on: channel.eventLoop),
            frameDelegate: connection,
            configuration: Self.http2Limits
        ) { stream in
            stream.eventLoop.makeCompletedFuture {
                let place = streams.take(for: client, stream, connection: place) { Self.refuse(stream) }
                guard let place, !place.isRefused else { return Self.refuse(stream) }
                try stream.pipeline.syncOperations.addHandlers(
                    HTTP2FramePayloadToHTTPServerCodec(),
                    HTTP2ResponseHandler(fields: listener.fields),
                    DeadlineHandler(policy),
                    ProtocolErrorHandler(isStream: true, response: listener.errorResponse),
                    RequestHandler(listener.responder, peer, at: place, on: stream.eventLoop)
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

/// Responds to the request of a connection over the limit, and ends it.
private struct Refusal: Responder {
    /// The maximum time to receive the request.
    static let limit = Duration.seconds(2)
    /// The longest time after which clients are told to retry, in seconds; each is told another one.
    private static let maximumRetry = 5

    let response: Response

    init(by listener: Listener) {
        let retryAfter = 1 + Int(listener.clock.random() * Double(Self.maximumRetry))
        var response = listener.errorResponse(.tooManyConnections(retryAfter: retryAfter))
        response.headers[.connection] = "close"
        self.response = response
    }

    func respond(to request: Request) async -> Response { response }
}
