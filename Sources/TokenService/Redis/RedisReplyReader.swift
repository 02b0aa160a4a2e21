/// Reads replies of the Redis serialization protocol, as far as the service's commands cause them: a status, an error or an
/// integer, on one line each.
///
/// A reply of another type is invalid, so nothing that Redis sends can announce a size to allocate.
struct RedisReplyReader {
    /// The maximum size of a line, in bytes; actual replies have at most a few hundred.
    static let maximumLineSize = 4096

    /// The beginning of a line whose end has not arrived.
    private var line: [UInt8] = []

    /// Reads the next bytes.
    ///
    /// - Returns: The replies that are complete now, in their order.
    /// - Throws: ``RedisFailure/invalidResponse`` if the bytes are invalid; the reader is of no use then.
    mutating func read(_ bytes: some Sequence<UInt8>) throws(RedisFailure) -> [RedisReply] {
        var replies: [RedisReply] = []
        for byte in bytes {
            guard byte != UInt8(ascii: "\n") else {
                guard line.popLast() == UInt8(ascii: "\r") else { throw .invalidResponse }
                replies.append(try Self.reply(line))
                line.removeAll(keepingCapacity: true)
                continue
            }
            // A lone CR is part of no reply.
            guard line.count < Self.maximumLineSize, line.last != UInt8(ascii: "\r") else { throw .invalidResponse }
            line.append(byte)
        }
        return replies
    }

    private static func reply(_ line: [UInt8]) throws(RedisFailure) -> RedisReply {
        let content = line.dropFirst()
        switch line.first {
        case UInt8(ascii: "+"): return .status
        case UInt8(ascii: ":"):
            guard let number = Int64(String(decoding: content, as: UTF8.self)) else { throw .invalidResponse }
            return .integer(number)
        case UInt8(ascii: "-"):
            let code = content.prefix(32).prefix { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
            return .error(code: code.isEmpty ? "an error" : String(decoding: code, as: UTF8.self))
        default: throw .invalidResponse
        }
    }
}
