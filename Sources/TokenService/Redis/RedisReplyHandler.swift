import NIOCore
import ServiceSupport
import TokenMinting

/// Commands that are sent together, and the promise of their replies.
struct RedisRequest: Sendable {
    /// The commands.
    let commands: [RedisCommand]
    /// Their replies, in their order.
    let replies: EventLoopPromise<[RedisReply]>
}

/// Sends one request at a time, and reads its replies.
final class RedisReplyHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = RedisRequest
    typealias OutboundOut = ByteBuffer

    private var reader = RedisReplyReader()
    private var request: RedisRequest?
    private var replies: [RedisReply] = []
    /// Why the connection failed, once it has.
    private var failure: RedisFailure?

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let request = unwrapOutboundIn(data)
        if let failure {
            request.replies.fail(failure)
            promise?.fail(failure)
            return
        }
        self.request = request
        var bytes = context.channel.allocator.buffer(capacity: 256)
        for command in request.commands { bytes.writeBytes(command.encoded) }
        context.write(wrapOutboundOut(bytes), promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard failure == nil else { return }
        do throws(RedisFailure) {
            replies += try reader.read(unwrapInboundIn(data).readableBytesView)
        } catch {
            return fail(error, context)
        }
        // A surplus reply would be taken for that of the next command.
        guard replies.count <= request?.commands.count ?? 0 else { return fail(.invalidResponse, context) }
        guard let request, replies.count == request.commands.count else { return }
        self.request = nil
        let replies = replies
        self.replies = []
        request.replies.succeed(replies)
    }

    func channelInactive(context: ChannelHandlerContext) {
        fail(.disconnected("Redis closed it"), context)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail(.disconnected(ConnectionFailure.text(of: error)), context)
    }

    /// Records the first reason; later ones are its consequences.
    private func fail(_ failure: RedisFailure, _ context: ChannelHandlerContext) {
        if self.failure == nil { self.failure = failure }
        request?.replies.fail(self.failure ?? failure)
        request = nil
        context.close(promise: nil)
    }
}
