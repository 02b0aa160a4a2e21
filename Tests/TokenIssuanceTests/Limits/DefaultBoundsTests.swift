import FleetToken
import TestSupport
import Testing

@testable import ServiceSupport
@testable import TokenIssuance

/// The bounds that SECURITY.md publishes hold by default: each is filled, and then one more comes.
struct DefaultBoundsTests {
    @Test
    func `100,000 addresses have buckets of their own, and all others share one`() {
        let limiter = RateLimiter(.init(perMinute: 1, burst: 1))
        #expect((0...100_000).allSatisfy { limiter.take("\($0)", now: 1) == nil })
        #expect(limiter.count == 100_000)
        #expect(limiter.take("another", now: 1) == 60)
    }

    @Test
    func `Audit lines wait within 32 MiB`() {
        // A line has 128 bytes more than its object.
        let line = [UInt8](repeating: 0x20, count: 1024 * 1024 - 128)
        var queue = AuditQueue<Int>(limit: AuditTrail.limit, timeout: 1)
        for number in 0..<32 { #expect(queue.add(line, number, at: 0).obstacle == nil) }
        #expect(queue.add([], 32, at: 0).obstacle == .overloaded)
    }
}
