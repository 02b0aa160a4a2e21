import TestTools
import Testing

@testable import TokenIssuance

struct RateLimiterTests {
    private static let second: Int64 = 1_000_000_000

    @Test
    func `A refusal takes nothing from the bucket`() {
        let limiter = RateLimiter(.init(perMinute: 6, burst: 1))
        #expect(limiter.take("a", now: 0) == nil)
        for _ in 0..<1000 { #expect(limiter.take("a", now: 0) == 10) }
        #expect(limiter.take("a", now: 10 * Self.second) == nil)
    }

    @Test(
        arguments: [(60.0, 1.0), (7, 3), (600, 100), (1, 1), (1_000_000, 1000), (0.5, 2)]
    )
    func `A client that waits as told is served, and a second earlier it is not`(perMinute: Double, burst: Double)
        throws
    {
        let limiter = RateLimiter(.init(perMinute: perMinute, burst: burst))
        var now: Int64 = 12345
        for _ in 0..<500 {
            while limiter.take("a", now: now) == nil {}
            // A refusal takes nothing, so asking again changes nothing.
            let wait = try #require(limiter.take("a", now: now))
            #expect(wait >= 1)
            if wait > 1 {
                #expect(
                    limiter.take("a", now: now + Int64(wait - 1) * Self.second) != nil,
                    "a second less is too early"
                )
            }
            now += Int64(wait) * Self.second
            #expect(limiter.take("a", now: now) == nil)
        }
    }

    @Test
    func `Jumps of the clock give nothing away`() {
        let limiter = RateLimiter(.init(perMinute: 60, burst: 2))
        let start = 1000 * Self.second
        #expect(limiter.take("a", now: start) == nil)
        #expect(limiter.take("a", now: start) == nil)
        #expect(limiter.take("a", now: start - 100 * Self.second) == 101)
        #expect(limiter.take("a", now: start + Self.second) == nil)
        #expect(limiter.take("a", now: Int64.max / 2) == nil)
        #expect(limiter.take("a", now: Int64.max / 2) == nil)
        #expect(limiter.take("a", now: Int64.max / 2) == 1)
    }

    @Test(arguments: 0..<20)
    func `The limiter agrees with a bucket that counts`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        // Rates whose interval is a whole number of nanoseconds, so that the model can count in those.
        let perMinute = [1, 6, 60, 600, 6000, 60_000, 10_000_000][Int.random(in: 0..<7, using: &random)]
        let burst = Int64.random(in: 1...50, using: &random)
        let interval = 60 * Self.second / Int64(perMinute)
        let limiter = RateLimiter(.init(perMinute: Double(perMinute), burst: Double(burst)))
        var level = burst * interval
        var now = Int64.random(in: 0...Int64(1e15), using: &random)
        for step in 0..<2000 {
            let elapsed = Bool.random(using: &random) ? 0 : Int64.random(in: 0...(interval * 3), using: &random)
            now += elapsed
            level = min(burst * interval, level + elapsed)
            let wait = limiter.take("a", now: now)
            if level >= interval {
                level -= interval
                #expect(wait == nil, "step \(step)")
            } else {
                let missing = interval - level
                #expect(wait == Int((missing + Self.second - 1) / Self.second), "step \(step)")
            }
        }
    }

    @Test(
        arguments: [7.0, 13, 6_999_999, 9_999_999, 0.7],
        [1.0, 100, 100_000]
    )
    func `Rounding gives nothing away, whatever the rate`(perMinute: Double, burst: Double) {
        let limiter = RateLimiter(.init(perMinute: perMinute, burst: burst))
        let start = Self.second
        var served = 0
        while served <= Int(burst) * 2, limiter.take("a", now: start) == nil { served += 1 }
        #expect(served == Int(burst))
        var later = 0
        let minutes = min(10, 1000 / perMinute)
        let steps = 1000
        for step in 1...steps {
            let now = start + Int64(minutes * 60e9 * Double(step) / Double(steps))
            while later < 2_000_000, limiter.take("a", now: now) == nil { later += 1 }
        }
        #expect(Double(later) <= minutes * perMinute)
    }

    @Test(.watchdog(seconds: 30))
    func `A flood of keys evicts no key whose limit is in use`() {
        let limiter = RateLimiter(.init(perMinute: 1, burst: 10), maximumBuckets: 10_000)
        let start = Self.second
        for _ in 0..<10 { #expect(limiter.take("victim", now: start) == nil) }
        #expect(limiter.take("attacker", now: start) == nil)
        var random = SeededGenerator(seed: 1)
        var served = 0
        for number in 0..<1_000_000 {
            let key = "\(random.next())"
            if limiter.take(key, now: start + Int64(number)) == nil { served += 1 }
        }
        #expect(limiter.count == 10_000)
        // Each place served one; all others shared one bucket.
        #expect(served == 10_000 - 2 + 10)
        #expect(limiter.take("victim", now: start + 1_000_000) == 60)
        #expect(limiter.take("another", now: start + 1_000_000) == 60)
        // Who has a place keeps it, and what is left in it.
        for _ in 0..<9 { #expect(limiter.take("attacker", now: start + 1_000_000) == nil) }
        #expect(limiter.take("attacker", now: start + 1_000_000) == 60)
        // When the flood's buckets have filled up, their places are free for newcomers.
        let later = start + 61 * Self.second
        for _ in 0..<10 { #expect(limiter.take("newcomer", now: later) == nil) }
        #expect(limiter.take("newcomer", now: later) == 60)
        #expect(limiter.count <= 3)
        #expect(limiter.take("victim", now: later) == nil)
        #expect(limiter.take("victim", now: later) == 59)
    }
}
