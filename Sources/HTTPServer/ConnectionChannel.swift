import NIOCore
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
    let responder: any Responder
    let errorResponse: @Sendable (ProtocolError) -> Response
    let certificate: ServerCertificate?
    let limits: ConnectionLimits
    let lifecycle: Lifecycle
    let clock: ServiceClock

    /// Gives a new connection its handlers.
    func setUp(_ channel: any Channel) throws {
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(
            ConnectionLimitHandler(
                limits.connections,
                refusal: certificate == nil ? .response(errorResponse, clock) : .none
            )
        )
        try limitTurn(of: channel)
        guard let certificate else {
            try configureHTTP1(on: channel)
            return
        }
        try pipeline.addHandler(NIOSSLServerHandler(context: certificate.context(for: channel)))
        try pipeline.addHandler(HandshakeDeadlineHandler(limits.policy))
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
