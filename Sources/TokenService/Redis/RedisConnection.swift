import CHiredis
import ExpiringCache
import FleetToken
import ServiceConfiguration
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A connection that uses hiredis to parse replies; waiting and deadlines are implemented here.
///
/// hiredis restarts its timeouts with each byte, so a slow server could block a request forever. hiredis 0.14 has no
/// TLS.
final class RedisConnection: RedisSession {
    /// The maximum size of a reply, or of the buffered part of several, in bytes.
    ///
    /// Actual replies have at most twenty.
    private static let maximumReplySize = 64 * 1024

    private let context: UnsafeMutablePointer<redisContext>
    private let functions: UnsafeMutablePointer<redisReplyObjectFunctions>
    private let timeout: Duration

    /// Creates a connection, and authenticates.
    ///
    /// Finding the address of a name has no time-out but the system's.
    ///
    /// - Parameters:
    ///   - address: Where Redis is.
    ///   - user: The user; nil for the default user.
    ///   - password: The user's password; nil for none.
    ///   - timeout: How long connecting, and each exchange, may take.
    /// - Throws: ``RedisFailure`` if Redis is unreachable or rejects the credentials.
    init(to address: ListenAddress, user: String?, password: Secret?, timeout: Duration) throws(RedisFailure) {
        // Writing to a connection that Redis has closed must not kill the process. NIO does the same.
        _ = signal(SIGPIPE, SIG_IGN)
        guard let context = redisConnectNonBlock(address.host, Int32(address.port)) else {
            throw .unreachable("out of memory")
        }
        guard context.pointee.err == 0, let reader = context.pointee.reader, let defaults = reader.pointee.fn else {
            let failure = context.pointee.err == REDIS_ERR_IO ? Errno(rawValue: errno).description : "no such address"
            redisFree(context)
            throw .unreachable(failure)
        }
        self.context = context
        self.timeout = timeout
        functions = .allocate(capacity: 1)
        functions.initialize(to: defaults.pointee)
        // No command returns an array, and an announced huge array would be allocated at once.
        functions.pointee.createArray = { _, _ in nil }
        reader.pointee.fn = functions
        try finishConnecting()
        guard let password else { return }
        let arguments = [Array("AUTH".utf8)] + (user.map { [Array($0.utf8)] } ?? []) + [password.reveal()]
        switch try exchange([RedisCommand(arguments)]).first {
        case .status?: break
        case .error(let code)?: throw .refused(code: code)
        default: throw .nonsense
        }
    }

    deinit {
        redisFree(context)
        functions.deallocate()
    }

    private func finishConnecting() throws(RedisFailure) {
        guard try wait(for: POLLOUT, until: .now + timeout) else { throw .unreachable("connecting timed out") }
        var error: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(context.pointee.fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0, error == 0 else {
            throw .unreachable(Errno(rawValue: error == 0 ? errno : error).description)
        }
    }

    func exchange(_ commands: [RedisCommand]) throws(RedisFailure) -> [RedisReply] {
        let deadline = ContinuousClock.now + timeout
        for command in commands {
            let status = command.encoded.withUnsafeBytes { bytes in
                redisAppendFormattedCommand(context, bytes.bindMemory(to: CChar.self).baseAddress, bytes.count)
            }
            guard status == REDIS_OK else { throw failure() }
        }
        var replies: [RedisReply] = []
        var isWritten: Int32 = 0
        while true {
            if isWritten == 0, redisBufferWrite(context, &isWritten) != REDIS_OK { throw failure() }
            while let reply = try next() { replies.append(reply) }
            // An extra reply would be taken as the reply to the next command.
            guard replies.count <= commands.count else { throw .nonsense }
            if replies.count == commands.count, isWritten != 0 { return replies }
            guard try wait(for: isWritten == 0 ? POLLIN | POLLOUT : POLLIN, until: deadline) else { throw .timedOut }
            guard redisBufferRead(context) == REDIS_OK else { throw failure() }
            guard let reader = context.pointee.reader, reader.pointee.len <= Self.maximumReplySize else {
                throw .nonsense
            }
        }
    }

    /// Returns the next complete reply.
    private func next() throws(RedisFailure) -> RedisReply? {
        var object: UnsafeMutableRawPointer?
        guard redisGetReplyFromReader(context, &object) == REDIS_OK else { throw failure() }
        guard let object else { return nil }
        defer { freeReplyObject(object) }
        let reply = object.assumingMemoryBound(to: redisReply.self).pointee
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

    /// Waits until something can be done; false when the time is over.
    ///
    /// Data that has already arrived counts, however late.
    private func wait(for events: Int32, until deadline: ContinuousClock.Instant) throws(RedisFailure) -> Bool {
        while true {
            let milliseconds = max(0, (deadline - .now) / .milliseconds(1))
            var descriptor = pollfd(fd: context.pointee.fd, events: Int16(events), revents: 0)
            let count = poll(&descriptor, 1, Int32(min(milliseconds.rounded(.up), 60_000)))
            if count >= 0 { return count > 0 }
            guard errno == EINTR else { throw .disconnected(Errno(rawValue: errno).description) }
        }
    }

    private func failure() -> RedisFailure {
        switch context.pointee.err {
        case REDIS_ERR_IO: .disconnected(Errno(rawValue: errno).description)
        case REDIS_ERR_EOF: .disconnected("Redis closed it")
        default: .nonsense
        }
    }
}
