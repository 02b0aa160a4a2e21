import NIOCore
import NIOPosix
import NIOSSL
import NIOTLS
import ServiceSupport
import TokenMinting

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Opens a connection to the URL's host, with a TLS handshake for https, and closes it.
struct ConnectionProbe {
    /// The time for each request and connection of the doctor.
    static let timeout = Duration.seconds(10)

    private let host: String
    private let port: Int
    private let isTLS: Bool

    /// - Throws: ``OutgoingError`` if the text is not a URL with a host.
    init(url: String) throws(OutgoingError) {
        guard let url = URL(string: url), let host = url.host else { throw .failed("not a valid URL") }
        self.host = host.first == "[" ? String(host.dropFirst().dropLast()) : host
        isTLS = url.scheme == "https"
        port = url.port ?? (isTLS ? 443 : 80)
    }

    /// Connects, with TLS if the scheme requires it, and sends nothing.
    func run() async throws(OutgoingError) {
        try await withTimeout(Self.timeout, clock: .system) { try await connect() }
    }

    private func connect() async throws {
        guard isTLS else {
            let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connect(host: host, port: port).get()
            try await channel.close()
            return
        }
        let context = try NIOSSLContext(configuration: .outgoing)
        // An IP address is not a valid server name for SNI.
        let name = AddressRange.bytes(of: host) == nil ? host : nil
        let handshake = MultiThreadedEventLoopGroup.singleton.any().makePromise(of: Void.self)
        do {
            let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandlers(
                            try NIOSSLClientHandler.outgoing(context, name: name),
                            HandshakeHandler(handshake)
                        )
                    }
                }
                .connect(host: host, port: port).get()
            channel.closeFuture.whenComplete { _ in
                handshake.fail(OutgoingError.failed("connection closed during the TLS handshake"))
            }
            try await handshake.futureResult.get()
            try? await channel.close()
        } catch {
            handshake.fail(error)
            throw error
        }
    }
}

extension OutgoingError {
    /// The error in a finding, with the doctor's limits.
    var finding: String {
        switch self {
        case .tooLarge: "the response is larger than 256 KiB"
        case .timedOut: "timed out after ten seconds"
        case .failed(let reason): reason
        }
    }
}

/// Reports the end of the TLS handshake.
private final class HandshakeHandler: ChannelInboundHandler {
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
