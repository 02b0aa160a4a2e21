import TokenIssuance

/// A connection to Redis, ready for commands.
protocol RedisSession {
    /// Sends commands together, and waits for all replies, in the commands' order.
    ///
    /// - Throws: ``RedisFailure``, after which the session is of no use.
    func exchange(_ commands: [RedisCommand]) throws(RedisFailure) -> [RedisReply]
}

extension RedisSession {
    /// Takes one request from each bucket.
    func take(_ buckets: [RateBucket]) throws(RedisFailure) -> [RateResult] {
        var replies = try exchange(buckets.map(RateScript.byDigest))
        // Redis was restarted, or its scripts were flushed.
        let forgotten = replies.indices.filter { replies[$0] == .error(code: "NOSCRIPT") }
        if !forgotten.isEmpty {
            let again = try exchange(forgotten.map { RateScript.bySource(buckets[$0]) })
            for (index, reply) in zip(forgotten, again) { replies[index] = reply }
        }
        var results: [RateResult] = []
        for (bucket, reply) in zip(buckets, replies) { results.append(try RateScript.result(of: reply, for: bucket)) }
        return results
    }
}
