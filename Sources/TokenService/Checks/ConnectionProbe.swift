import NIOCore
import NIOPosix
import NIOSSL
import NIOTLS
import ServiceSupport

/// Opens a connection to a URL's host, with a TLS handshake for https, and closes it.
struct ConnectionProbe {
    /// The time for each request and connection of a check.
    static let timeout = Duration.seconds(10)

    private let url: EndpointURL

    /// - Throws: ``OutgoingError`` if the text is not a URL with a host.
    init(url text: String) throws(OutgoingError) {
        do { url = try EndpointURL(text) } catch { throw .failed("not a valid URL") }
    }

    /// Connects, with TLS if the scheme requires it, and sends nothing.
    func run() async throws(OutgoingError) {
        let result = await withTimeout(Self.timeout, clock: .system) { try await connect() }
        guard let result else { throw .timedOut }
        do { try result.get() } catch { throw OutgoingError(error) }
    }

    private func connect() async throws {
        let context = url.scheme == "https" ? try NIOSSLContext(configuration: .outgoing) : nil
        // An IP address is not a valid server name for SNI.
        let name = AddressRange.bytes(of: url.host) == nil ? url.host : nil
        let ready = MultiThreadedEventLoopGroup.singleton.any().makePromise(of: Void.self)
        do {
            let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        guard let context else { return }
                        try channel.pipeline.syncOperations.addHandlers(
                            try NIOSSLClientHandler(context: context, serverHostname: name),
                            HandshakeReport(ready)
                        )
                    }
                }
                .connect(host: url.host, port: Int(url.port ?? (context == nil ? 80 : 443))).get()
            if context == nil { ready.succeed() }
            channel.closeFuture.whenComplete { _ in
                ready.fail(OutgoingError.failed("connection closed during the TLS handshake"))
            }
            try await ready.futureResult.get()
            try? await channel.close()
        } catch {
            ready.fail(error)
            throw error
        }
    }
}

extension OutgoingError {
    /// The error in a finding, with the limits of a check.
    var finding: String {
        switch self {
        case .tooLarge: "the response is larger than 256 KiB"
        case .timedOut: "timed out after ten seconds"
        case .failed(let reason): reason
        }
    }
}

/// Reports the end of the TLS handshake.
private final class HandshakeReport: ChannelInboundHandler {
    typealias InboundIn = NIOAny

    private let promise: EventLoopPromise<Void>

    init(_ promise: EventLoopPromise<Void>) {
        self.promise = promise
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case TLSUserEvent.handshakeCompleted = event { promise.succeed() }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        promise.fail(error)
        context.close(promise: nil)
    }
}
