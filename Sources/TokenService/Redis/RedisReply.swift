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

extension RedisFailure {
    /// Creates the failure for an error of the connection.
    init(_ error: any Error) {
        switch error {
        case let failure as Self: self = failure
        case is ByteToMessageDecoderError.PayloadTooLargeError, is NIOExtrasErrors.LeftOverBytesError:
            self = .invalidResponse
        case is ChannelError, is NIOExtrasErrors.ClosedBeforeReceivingResponse:
            self = .disconnected("Redis closed it")
        default: self = .disconnected(ConnectionFailure.text(of: error))
        }
    }
}

/// Makes a reply of each line.
final class RedisReplyHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = RedisReply

    /// The maximum size of a line, in bytes; actual replies have at most a few hundred.
    private static let maximumLineSize = 4096

    /// Adds the handlers of a connection, behind those of TLS.
    ///
    /// Commands are sent as they come, and Redis replies in their order. A surplus reply, which would be taken for that of
    /// the next command, closes the connection, as any error does.
    static func add(to channel: any Channel) throws {
        let lines = ByteToMessageHandler(LineBasedFrameDecoder(), maximumBufferSize: maximumLineSize)
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandlers(lines, RedisReplyHandler())
        try pipeline.addHandlers(RequestResponseHandler<ByteBuffer, RedisReply>(), NIOCloseOnErrorHandler())
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        do throws(RedisFailure) {
            context.fireChannelRead(wrapInboundOut(try RedisReply(line: unwrapInboundIn(data).readableBytesView)))
        } catch {
            context.fireErrorCaught(error)
        }
    }
}
