import JOSE
import StrictCoding
import TokenIssuance

/// The script that takes one request from a bucket, with the generic cell rate algorithm of ``RateLimiter``.
///
/// A bucket is one number, the time at which it will be full again, and expires then. All times are the server's, in
/// microseconds, so replicas' clocks don't matter; a double holds them exactly. It needs Redis 5, which replicates a
/// script's effects and so lets it read the clock.
///
/// A value that is not a valid number (a list, a text, not-a-number) counts as a full bucket and is replaced. A time
/// beyond the capacity counts as an empty bucket and is replaced. So one key that another program wrote, or that was
/// stored while the clock was ahead, costs its own caller at most a burst, and other callers nothing.
enum RateScript {
    static let source = """
        local time = redis.call('TIME')
        local now = time[1] * 1000000 + time[2]
        local interval, capacity = tonumber(ARGV[1]), tonumber(ARGV[2])
        local function keep(time)
          redis.call('SET', KEYS[1], string.format('%.0f', time), 'PX', math.ceil((time - now) / 1000))
        end
        local kept = redis.pcall('GET', KEYS[1])
        if type(kept) == 'table' then
          if not string.find(kept.err, 'WRONGTYPE', 1, true) then return kept end
          kept = false
        end
        local fullAt = kept and tonumber(kept)
        -- NaN is not equal to itself.
        if not fullAt or fullAt ~= fullAt or fullAt < now then fullAt = now end
        -- Not beyond the capacity, which was another before, or when the clock was ahead.
        if fullAt > now + capacity then
          fullAt = now + capacity
          keep(fullAt)
        end
        local excess = fullAt + interval - now - capacity
        if excess > 0 then return excess end
        keep(fullAt + interval)
        return 0
        """

    /// The script's digest in Redis.
    static let digest = Hexadecimal.text(SHA1Digest.bytes(of: Array(source.utf8)))

    /// Takes one request from a bucket.
    ///
    /// - Throws: ``RedisFailure``, after which the connection is of no use.
    static func take(_ bucket: RateBucket, over connection: RedisConnection) async throws(RedisFailure) -> RateResult {
        func run(_ command: String, _ script: String) async throws(RedisFailure) -> RedisReply {
            let arguments = [command, script, "1", bucket.key, "\(bucket.interval)", "\(bucket.capacity)"]
            return try await connection.send(arguments.map { Array($0.utf8) })
        }
        var reply = try await run("EVALSHA", digest)
        if reply == .error(code: "NOSCRIPT") {
            // Redis was restarted, or its scripts were flushed. Now it remembers this one.
            reply = try await run("EVAL", source)
        }
        switch reply {
        case .integer(0): return .taken
        case .integer(let excess) where (1...bucket.interval).contains(excess):
            return .empty(seconds: Int((excess + 999_999) / 1_000_000))
        case .error(let code): throw .refused(code: code)
        default: throw .invalidResponse
        }
    }
}
