import NIOCore
import ServiceSupport

/// Refuses a connection over the limit before its request is parsed.
///
/// It also limits HTTP/2 streams: each costs as much as an HTTP/1.1 connection.
final class ConnectionLimitHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    /// What the client of a refused connection or stream gets.
    enum Refusal {
        /// Nothing: before a TLS handshake a response could not be read, and a handshake costs as much as a token.
        case none
        /// A frame.
        case frame(NIOAny)
        /// A response to any first request; random numbers spread the retries.
        case response(@Sendable (ProtocolError) -> Response, ServiceClock)
    }

    private let counter: ConnectionCounter
    private let refusal: Refusal

    init(_ counter: ConnectionCounter, refusal: Refusal = .none) {
        self.counter = counter
        self.refusal = refusal
    }

    func channelActive(context: ChannelHandlerContext) {
        let address = context.channel.remoteAddress?.ipAddress ?? "unknown"
        guard counter.add(address) else {
            refuse(context)
            return
        }
        context.channel.closeFuture.whenComplete { [counter] _ in counter.remove(address) }
        context.fireChannelActive()
        // Nothing is left to do, and each event of the connection would pass through here.
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }

    private func refuse(_ context: ChannelHandlerContext) {
        switch refusal {
        case .none: break
        case .frame(let frame): context.writeAndFlush(frame, promise: nil)
        case .response(let response, let clock):
            guard counter.addRefused() else { break }
            context.channel.closeFuture.whenComplete { [counter] _ in counter.removeRefused() }
            let sync = context.pipeline.syncOperations
            let handler = RefusedConnectionHandler(response: response, clock: clock)
            guard (try? sync.addHandler(handler, position: .after(self))) != nil else { break }
            context.fireChannelActive()
            return
        }
        context.close(promise: nil)
    }
}

@available(*, unavailable)
extension ConnectionLimitHandler: Sendable {}
