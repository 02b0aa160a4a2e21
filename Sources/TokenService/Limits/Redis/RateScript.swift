import Crypto

/// The script that takes one request from a bucket: the generic cell rate algorithm, as ``RateLimiter`` has it.
///
/// A bucket is one number, the time at which it will be full again, and expires then. All times are the server's, in
/// microseconds, so replicas' clocks don't matter; a double holds them exactly. It needs Redis 5, which replicates a
/// script's effects and so lets it read the clock.
enum RateScript {
    static let source = """
        local time = redis.call('TIME')
        local now = time[1] * 1000000 + time[2]
        local interval, capacity = tonumber(ARGV[1]), tonumber(ARGV[2])
        local fullAt = tonumber(redis.call('GET', KEYS[1])) or 0
        -- Not beyond the capacity, which was another before, or when the clock was ahead.
        fullAt = math.min(math.max(fullAt, now), now + capacity)
        local excess = fullAt + interval - now - capacity
        if excess > 0 then return excess end
        fullAt = fullAt + interval
        redis.call('SET', KEYS[1], string.format('%.0f', fullAt), 'PX', math.ceil((fullAt - now) / 1000))
        return 0
        """

    /// What Redis knows the script by.
    static let digest = Hexadecimal.text(Array(Insecure.SHA1.hash(data: Array(source.utf8))))

    /// Runs the script, if Redis has seen it before.
    static func byDigest(_ bucket: RateBucket) -> RedisCommand {
        RedisCommand("EVALSHA", digest, "1", bucket.key, "\(bucket.interval)", "\(bucket.capacity)")
    }

    /// Runs the script, and lets Redis remember it.
    static func bySource(_ bucket: RateBucket) -> RedisCommand {
        RedisCommand("EVAL", source, "1", bucket.key, "\(bucket.interval)", "\(bucket.capacity)")
    }

    /// What the script says of a bucket.
    ///
    /// - Throws: When it is nothing that the script can say.
    static func answer(_ reply: RedisReply, for bucket: RateBucket) throws(RedisFailure) -> RateAnswer {
        switch reply {
        case .integer(0): return .taken
        case .integer(let excess) where (1...bucket.interval).contains(excess):
            return .empty(seconds: Int((excess + 999_999) / 1_000_000))
        case .error(let code): throw .refused(code: code)
        default: throw .nonsense
        }
    }
}
