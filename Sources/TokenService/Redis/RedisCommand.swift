/// A command with its arguments, as bytes.
struct RedisCommand: Sendable, Hashable {
    /// The command in the Redis serialization protocol.
    let encoded: [UInt8]

    /// A command.
    init(_ arguments: [[UInt8]]) {
        var bytes = Array("*\(arguments.count)\r\n".utf8)
        for argument in arguments {
            bytes += Array("$\(argument.count)\r\n".utf8) + argument + Array("\r\n".utf8)
        }
        encoded = bytes
    }

    /// A command of words that are no secret.
    init(_ arguments: String...) {
        self.init(arguments.map { Array($0.utf8) })
    }
}

/// What Redis answers to a command, as far as it means anything here.
enum RedisReply: Sendable, Hashable {
    case integer(Int64)
    /// `OK` and the like.
    case status
    /// An error, by the word that it begins with.
    case error(code: String)
    /// Anything else.
    case other
}

/// Why Redis cannot be asked now, for the log: nothing that Redis sent but an error's code.
enum RedisFailure: Error, Hashable {
    /// No connection; why.
    case unreachable(String)
    /// No answer in time.
    case timedOut
    /// The connection ended; why.
    case disconnected(String)
    /// It answered with an error.
    case refused(code: String)
    /// What it answered makes no sense.
    case nonsense
}

extension RedisFailure: CustomStringConvertible {
    var description: String {
        switch self {
        case .unreachable(let reason): "it cannot be reached: \(reason)"
        case .timedOut: "it did not answer in time"
        case .disconnected(let reason): "the connection ended: \(reason)"
        case .refused(let code): "it refuses with \(code)\(Self.advice(code))"
        case .nonsense: "its answer is not Redis's, or not to what was asked"
        }
    }

    private static func advice(_ code: String) -> String {
        switch code {
        case "WRONGPASS", "NOAUTH": "; check limits.redis.passwordFile and user"
        case "NOPERM": "; the user needs +eval +evalsha +get +set +time on the keys with limits.redis.prefix"
        case "READONLY": "; limits.redis.address is a replica, and must be the primary"
        case "MOVED": "; a cluster is not supported"
        case "OOM": "; it needs more memory, or maxmemory-policy volatile-ttl"
        default: ""
        }
    }
}
