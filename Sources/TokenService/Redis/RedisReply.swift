import NIOCore
import NIOExtras
import ServiceSupport

/// The relevant parts of a Redis reply: the service's commands cause a status, an error or an integer, on one line each.
///
/// A reply of another type is invalid, so nothing that Redis sends can announce a size to allocate.
enum RedisReply: Sendable, Hashable {
    case integer(Int64)
    /// `OK` and the like.
    case status
    /// An error, by its first word.
    case error(code: String)

    /// Creates a reply by parsing a line without its end (the Redis serialization protocol).
    init(line: some Collection<UInt8>) throws(RedisFailure) {
        let content = line.dropFirst()
        switch line.first {
        case UInt8(ascii: "+"): self = .status
        case UInt8(ascii: ":"):
            guard let number = Int64(String(decoding: content, as: UTF8.self)) else { throw .invalidResponse }
            self = .integer(number)
        case UInt8(ascii: "-"):
            let code = content.prefix(32).prefix { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
            self = .error(code: code.isEmpty ? "an error" : String(decoding: code, as: UTF8.self))
        default: throw .invalidResponse
        }
    }
}

/// Why Redis is unavailable, for the log: it contains nothing that Redis sent except an error code.
struct RedisFailure: LoggableError, Hashable {
    let description: String

    static let timedOut = Self(description: "the call timed out")
    static let invalidResponse = Self(description: "the response is invalid")

    static func unreachable(_ reason: String) -> Self { Self(description: "connecting failed: \(reason)") }

    static func disconnected(_ reason: String) -> Self { Self(description: "the connection was closed: \(reason)") }

    static func notAuthenticated(code: String) -> Self {
        Self(description: "authentication failed (\(code)); check limits.redis.passwordFile and user")
    }

    private static let advice = [
        "NOAUTH": "; Redis requires a password: check limits.redis.passwordFile and user",
        "NOPERM": "; the user needs +eval +evalsha +get +set +time on the keys fleet-token:*",
        "READONLY": "; limits.redis.address is a replica; use the primary's address",
        "MOVED": "; Redis Cluster is not supported",
        "OOM": "; give Redis more memory, or set maxmemory-policy to volatile-ttl",
    ]

    /// The reply is an error.
    static func refused(code: String) -> Self {
        Self(description: "Redis returned the error \(code)\(advice[code] ?? "")")
    }
}

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
