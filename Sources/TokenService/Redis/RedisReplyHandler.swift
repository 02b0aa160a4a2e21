import NIOCore
import ServiceSupport
import TokenMinting

/// Commands of one exchange, and the promise of their replies.
struct RedisQuestion: Sendable {
    let commands: [RedisCommand]
    /// Their replies, in their order.
    let replies: EventLoopPromise<[RedisReply]>
}

/// Sends the commands of one exchange at a time, and reads their replies.
final class RedisReplyHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = RedisQuestion
    typealias OutboundOut = ByteBuffer

    private var reader = RedisReplyReader()
    private var question: RedisQuestion?
    private var replies: [RedisReply] = []
    /// Why the connection failed, once it has.
    private var failure: RedisFailure?

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let question = unwrapOutboundIn(data)
        if let failure {
            question.replies.fail(failure)
            promise?.fail(failure)
            return
        }
        self.question = question
        var bytes = context.channel.allocator.buffer(capacity: 256)
        for command in question.commands { bytes.writeBytes(command.encoded) }
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
        guard replies.count <= question?.commands.count ?? 0 else { return fail(.invalidResponse, context) }
        guard let question, replies.count == question.commands.count else { return }
        self.question = nil
        let replies = replies
        self.replies = []
        question.replies.succeed(replies)
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
        question?.replies.fail(self.failure ?? failure)
        question = nil
        context.close(promise: nil)
    }
}
