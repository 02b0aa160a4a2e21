/// A command with its arguments, as bytes.
struct RedisCommand: Sendable, Hashable {
    /// The command in the Redis serialization protocol.
    let encoded: [UInt8]

    init(_ arguments: [[UInt8]]) {
        var bytes = Array("*\(arguments.count)\r\n".utf8)
        for argument in arguments {
            bytes += Array("$\(argument.count)\r\n".utf8) + argument + Array("\r\n".utf8)
        }
        encoded = bytes
    }

    /// Creates a command of words without secrets.
    init(_ arguments: String...) {
        self.init(arguments.map { Array($0.utf8) })
    }
}

/// The relevant parts of a Redis reply.
enum RedisReply: Sendable, Hashable {
    case integer(Int64)
    /// `OK` and the like.
    case status
    /// An error, by its first word.
    case error(code: String)
}

/// Why Redis is unavailable, for the log: it contains nothing that Redis sent except an error code.
enum RedisFailure: Error, Hashable {
    /// No connection; why.
    case unreachable(String)
    /// No reply in time.
    case timedOut
    /// The connection ended; why.
    case disconnected(String)
    /// Authentication failed.
    case notAuthenticated(code: String)
    /// The reply is an error.
    case refused(code: String)
    /// The reply is invalid.
    case invalidResponse
}

extension RedisFailure: CustomStringConvertible {
    var description: String {
        switch self {
        case .unreachable(let reason): "connecting failed: \(reason)"
        case .timedOut: "the call timed out"
        case .disconnected(let reason): "the connection was closed: \(reason)"
        case .notAuthenticated(let code):
            "authentication failed (\(code)); check limits.redis.passwordFile and user"
        case .refused(let code): "Redis returned the error \(code)\(Self.advice(code))"
        case .invalidResponse: "the response is invalid"
        }
    }

    private static func advice(_ code: String) -> String {
        switch code {
        case "NOAUTH": "; Redis requires a password: check limits.redis.passwordFile and user"
        case "NOPERM": "; the user needs +eval +evalsha +get +set +time on the keys with limits.redis.prefix"
        case "READONLY": "; limits.redis.address is a replica; use the primary's address"
        case "MOVED": "; Redis Cluster is not supported"
        case "OOM": "; give Redis more memory, or set maxmemory-policy to volatile-ttl"
        default: ""
        }
    }
}
