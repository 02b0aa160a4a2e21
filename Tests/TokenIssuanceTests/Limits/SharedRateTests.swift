import FleetToken
import Synchronization
import TestSupport
import TestTime
import TestTraits
import Testing

@testable import TokenIssuance

@Suite(.watchdog)
struct SharedRateTests {
    /// Answers what it was told to, and keeps what it was asked.
    private final class Store: Sendable {
        let answer: RateResult
        private let asked = Mutex<[RateBucket]>([])

        init(_ answer: RateResult) { self.answer = answer }

        var buckets: [RateBucket] { asked.withLock { $0 } }

        func take(_ bucket: RateBucket) async -> RateResult {
            asked.withLock { $0.append(bucket) }
            return answer
        }
    }

    private func rate(
        perMinute: Double = 600,
        burst: Double = 100,
        _ purpose: SharedRate.Purpose = .caller,
        secret: Secret? = nil,
        store: Store = Store(.taken)
    ) -> SharedRate {
        SharedRate(.init(perMinute: perMinute, burst: burst), for: purpose, secret: secret, in: store.take)
    }

    @Test("Names in the store reveal no caller, and differ by purpose and secret")
    func namesTellNobodysName() {
        let bucket = rate().bucket(of: "app\u{0}rider-17")
        #expect(bucket.key.hasPrefix("fleet-token:caller:"))
        #expect(!bucket.key.contains("rider"))
        #expect(bucket.key == rate().bucket(of: "app\u{0}rider-17").key)
        let others = [
            rate(.address).bucket(of: "app\u{0}rider-17"), rate().bucket(of: "app\u{0}rider-18"),
            rate(secret: Secret("another")).bucket(of: "app\u{0}rider-17"),
        ]
        #expect(Set(others.map(\.key) + [bucket.key]).count == 4)
    }

    @Test("Intervals are rounded up")
    func intervalsAreRoundedUp() {
        let bucket = rate(perMinute: 7, burst: 3).bucket(of: "a")
        #expect((bucket.interval, bucket.capacity) == (8_571_429, 25_714_287))
    }

    @Test("While the store is available it decides, and what it takes costs nothing here")
    func theStoreDecidesWhileItIsThere() async {
        let taken = Store(.taken)
        let limit = RateLimit(RateLimiter(.init(perMinute: 1, burst: 1)), shared: rate(store: taken))
        for _ in 0..<10 { #expect(await limit.take("a", now: 0) == nil) }
        for _ in 0..<10 { #expect(await limit.charge("a", now: 0) == nil) }
        #expect(limit.local.wait(for: "a", now: 0) == nil)
        #expect(taken.buckets.count == 20)
        let empty = RateLimit(
            RateLimiter(.init(perMinute: 1, burst: 1)),
            shared: rate(store: Store(.empty(seconds: 7)))
        )
        #expect(await empty.take("a", now: 0) == 7)
    }

    @Test("An address that is past its shared limit is past it here, without a call, until its time is over")
    func charge() async throws {
        let store = Store(.empty(seconds: 7))
        let clock = TestClock()
        let limits = CallerLimits(
            callers: nil,
            addresses: RateLimit(RateLimiter(.init(perMinute: 600, burst: 100)), shared: rate(.address, store: store)),
            verifications: RateLimiter(.init(perMinute: 1, burst: 3)),
            clock: clock.service
        )
        func charge() async -> Int? {
            await limits.charge(AuthenticationFailure(.noCredentials), to: "192.0.2.1").error.retryAfter
        }
        let address = limits.allowance(of: "192.0.2.1")
        for _ in 0..<100 { #expect(address.takesVerification()) }
        #expect(await charge() == 7)
        #expect((0..<100).count { _ in address.takesVerification() } == 3)
        #expect(limits.allowance(of: "192.0.2.2").takesVerification(), "another address is not affected")
        clock.advance(by: 3)
        #expect(await charge() == 4)
        #expect(store.buckets.count == 1)
        clock.advance(by: 4)
        for _ in 0..<100 { #expect(address.takesVerification()) }
        #expect(await charge() == 7)
        #expect(store.buckets.count == 2)
    }

    @Test("A shorter wait does not end a longer one, and no wait takes the place of another key")
    func hold() {
        let limiter = RateLimiter(.init(perMinute: 600, burst: 100), maximumBuckets: 1)
        limiter.hold("a", seconds: 7, now: 1_000_000_000)
        limiter.hold("a", seconds: 2, now: 1_000_000_000)
        #expect(limiter.wait(for: "a", now: 1_000_000_000) == 7)
        limiter.hold("b", seconds: 7, now: 1_000_000_000)
        #expect(limiter.wait(for: "b", now: 1_000_000_000) == nil)
        #expect(limiter.count == 1)
    }

    @Test("While the store is unavailable the local limiter decides")
    func thisProcessDecidesWhileTheStoreIsAway() async {
        let limit = RateLimit(RateLimiter(.init(perMinute: 1, burst: 2)), shared: rate(store: Store(.unavailable)))
        #expect(await limit.take("a", now: 0) == nil)
        #expect(await limit.take("a", now: 0) == nil)
        #expect(await limit.take("a", now: 0) == 60)
        #expect(await limit.take("b", now: 0) == nil)
    }
}
