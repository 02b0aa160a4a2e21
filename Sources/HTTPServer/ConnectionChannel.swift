import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOSSL
import ServiceSupport

/// The handlers of one connection: limits, TLS if there is a certificate, and HTTP/1.1.
///
/// ## How it works
///
/// ```
/// place ─► (TLS, handshake deadline) ─► codec ─► deadlines ─► RequestHandler
/// ```
///
/// All handlers of a connection run on its event loop, and so does each request's task until it waits.
struct ConnectionChannel: Sendable {
    private let listener: Listener
    private let connections: ConnectionPlaces

    init(_ listener: Listener) {
        self.listener = listener
        connections = ConnectionPlaces(listener.policy, metrics: listener.metrics)
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
        try pipeline.addHandler(NIOSSLServerHandler(context: certificate.context))
        try pipeline.addHandler(
            HandshakeHandler(listener.policy) { channel in try configureHTTP1(on: channel, place) }
        )
    }

    /// Closes a connection at once, without waiting for the client's end of TLS.
    private static func close(_ channel: any Channel) {
        channel.eventLoop.execute {
            let tls = try? channel.pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self)
            if let tls { tls.close(promise: nil) } else { channel.close(promise: nil) }
        }
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
}

extension ConnectionChannel {
    /// Adds the handlers of an HTTP/1.1 connection.
    private func configureHTTP1(on channel: any Channel, _ place: ConnectionPlace) throws {
        let pipeline = channel.pipeline.syncOperations
        let peer = Peer(channel.remoteAddress)
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
