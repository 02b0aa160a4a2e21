import CHiredis
import NIOCore
import ServiceSupport
import TokenMinting

/// Commands of one exchange, and the promise of their replies.
struct RedisQuestion: Sendable {
    /// The commands.
    let commands: [RedisCommand]
    /// Their replies, in their order.
    let replies: EventLoopPromise<[RedisReply]>
}

/// Sends one question at a time, and reads its replies with hiredis' parser.
final class RedisReplyHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = RedisQuestion
    typealias OutboundOut = ByteBuffer

    /// The maximum size of a reply, or of the buffered part of several, in bytes.
    ///
    /// Actual replies have at most twenty.
    private static let maximumReplySize = 64 * 1024

    /// nil if memory allocation failed.
    private let reader = redisReaderCreate()
    private let functions = UnsafeMutablePointer<redisReplyObjectFunctions>.allocate(capacity: 1)
    private var question: RedisQuestion?
    private var replies: [RedisReply] = []
    /// Why the connection failed, once it has.
    private var failure: RedisFailure?

    init() {
        guard let reader, let defaults = reader.pointee.fn else {
            functions.initialize(to: redisReplyObjectFunctions())
            failure = .unreachable("out of memory")
            return
        }
        functions.initialize(to: defaults.pointee)
        // No command returns an array, and hiredis would allocate the size that an array claims.
        functions.pointee.createArray = { _, _ in nil }
        reader.pointee.fn = functions
    }

    deinit {
        if let reader { redisReaderFree(reader) }
        functions.deallocate()
    }

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
        let bytes = unwrapInboundIn(data)
        guard failure == nil, let reader else { return }
        let isFed = bytes.withUnsafeReadableBytes { bytes in
            redisReaderFeed(reader, bytes.bindMemory(to: CChar.self).baseAddress, bytes.count) == REDIS_OK
        }
        guard isFed, readReplies(reader), reader.pointee.len <= Self.maximumReplySize,
            // A surplus reply would be taken for that of the next command.
            replies.count <= question?.commands.count ?? 0
        else { return fail(.nonsense, context) }
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

    /// Reads the complete replies; returns false if they are invalid.
    private func readReplies(_ reader: UnsafeMutablePointer<redisReader>) -> Bool {
        while true {
            var object: UnsafeMutableRawPointer?
            guard redisReaderGetReply(reader, &object) == REDIS_OK else { return false }
            guard let object else { return true }
            defer { freeReplyObject(object) }
            replies.append(Self.reply(object.assumingMemoryBound(to: redisReply.self).pointee))
        }
    }

    private static func reply(_ reply: redisReply) -> RedisReply {
        switch reply.type {
        case REDIS_REPLY_INTEGER: return .integer(reply.integer)
        case REDIS_REPLY_STATUS: return .status
        case REDIS_REPLY_ERROR:
            let text = UnsafeRawBufferPointer(start: reply.str, count: reply.len)
            let code = text.prefix(32).prefix { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
            return .error(code: code.isEmpty ? "an error" : String(decoding: code, as: UTF8.self))
        default: return .other
        }
    }
}
