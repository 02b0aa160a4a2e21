import NIOCore
import NIOExtras
import ServiceSupport

/// A command as it is sent, and the promise of its reply.
struct RedisRequest: Sendable {
    /// The command with its arguments, in the Redis serialization protocol.
    let command: ByteBuffer
    let reply: EventLoopPromise<RedisReply>
}

/// Sends requests as they come, and gives each its reply: Redis replies in their order.
final class RedisReplyHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = RedisRequest
    typealias OutboundOut = ByteBuffer

    /// The maximum size of a line, in bytes; actual replies have at most a few hundred.
    private static let maximumLineSize = 4096

    private var requests = CircularBuffer<RedisRequest>()
    /// The replies that were read together, and are not delivered yet.
    private var replies: [RedisReply] = []
    /// Why the connection failed, once it has.
    private var failure: RedisFailure?

    /// Adds the handlers of a connection, behind those of TLS.
    static func add(to channel: any Channel) throws {
        let lines = ByteToMessageHandler(LineBasedFrameDecoder(), maximumBufferSize: maximumLineSize)
        try channel.pipeline.syncOperations.addHandlers(lines, RedisReplyHandler())
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let request = unwrapOutboundIn(data)
        if let failure {
            request.reply.fail(failure)
            promise?.fail(failure)
            return
        }
        requests.append(request)
        context.write(wrapOutboundOut(request.command), promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        do throws(RedisFailure) {
            replies.append(try RedisReply(line: unwrapInboundIn(data).readableBytesView))
        } catch {
            fail(error, context)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // A surplus reply would be taken for that of the next command.
        if replies.count > requests.count { fail(.invalidResponse, context) }
        for reply in exchange(&replies, with: []) { requests.popFirst()?.reply.succeed(reply) }
        context.fireChannelReadComplete()
    }

    func channelInactive(context: ChannelHandlerContext) {
        fail(.disconnected("Redis closed it"), context)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case is ByteToMessageDecoderError.PayloadTooLargeError, is NIOExtrasErrors.LeftOverBytesError:
            fail(.invalidResponse, context)
        default: fail(.disconnected(ConnectionFailure.text(of: error)), context)
        }
    }

    /// Records the first reason; later ones are its consequences.
    private func fail(_ failure: RedisFailure, _ context: ChannelHandlerContext) {
        let first = self.failure ?? failure
        self.failure = first
        replies = []
        for request in exchange(&requests, with: []) { request.reply.fail(first) }
        context.close(promise: nil)
    }
}
