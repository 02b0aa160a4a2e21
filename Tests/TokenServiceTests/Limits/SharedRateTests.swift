import FleetToken
import Synchronization
import Testing

@testable import ServiceConfiguration
@testable import TokenIssuance

struct SharedRateTests {
    /// Answers what it was told to, and keeps what it was asked.
    private final class Store: RateStore {
        let answer: RateAnswer
        private let asked = Mutex<[RateBucket]>([])

        init(_ answer: RateAnswer) { self.answer = answer }

        var buckets: [RateBucket] { asked.withLock { $0 } }

        func take(_ bucket: RateBucket) async -> RateAnswer {
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
        SharedRate(.init(perMinute: perMinute, burst: burst), for: purpose, prefix: "p:", secret: secret, in: store)
    }

    @Test func namesTellNobodysName() {
        let bucket = rate().bucket(of: "app\u{0}rider-17")
        #expect(bucket.key.hasPrefix("p:caller:"))
        #expect(!bucket.key.contains("rider"))
        #expect(bucket.key == rate().bucket(of: "app\u{0}rider-17").key)
        let others = [
            rate(.address).bucket(of: "app\u{0}rider-17"), rate().bucket(of: "app\u{0}rider-18"),
            rate(secret: Secret("another")).bucket(of: "app\u{0}rider-17"),
        ]
        #expect(Set(others.map(\.key) + [bucket.key]).count == 4)
    }

    @Test func intervalsAreRoundedUp() {
        let bucket = rate(perMinute: 7, burst: 3).bucket(of: "a")
        #expect((bucket.interval, bucket.capacity) == (8_571_429, 25_714_287))
    }

    @Test func theStoreDecidesWhileItIsThere() async {
        let taken = Store(.taken)
        let limit = RateLimit(RateLimiter(.init(perMinute: 1, burst: 1)), shared: rate(store: taken))
        for _ in 0..<10 { #expect(await limit.take("a", now: 0) == nil) }
        #expect(taken.buckets.count == 10)
        let empty = RateLimit(
            RateLimiter(.init(perMinute: 1, burst: 1)),
            shared: rate(store: Store(.empty(seconds: 7)))
        )
        #expect(await empty.take("a", now: 0) == 7)
    }

    @Test func thisProcessDecidesWhileTheStoreIsAway() async {
        let limit = RateLimit(RateLimiter(.init(perMinute: 1, burst: 2)), shared: rate(store: Store(.away)))
        #expect(await limit.take("a", now: 0) == nil)
        #expect(await limit.take("a", now: 0) == nil)
        #expect(await limit.take("a", now: 0) == 60)
        #expect(await limit.take("b", now: 0) == nil)
    }
}
