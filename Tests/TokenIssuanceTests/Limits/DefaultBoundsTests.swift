import FleetToken
import TestSupport
import Testing

@testable import ServiceSupport
@testable import TokenIssuance

/// The bounds that SECURITY.md publishes hold by default: each is filled, and then one more comes.
struct DefaultBoundsTests {
    @Test("100,000 addresses have buckets of their own, and all others share one")
    func buckets() {
        let limiter = RateLimiter(.init(perMinute: 1, burst: 1))
        #expect((0...100_000).allSatisfy { limiter.take("\($0)", now: 1) == nil })
        #expect(limiter.count == 100_000)
        #expect(limiter.take("another", now: 1) == 60)
    }

    @Test("20,000 larger networks have buckets of their own, and all others share one")
    func regions() {
        let budget = StrangerBudget(address: .init(perMinute: 1, burst: 1))
        func isItsOwnExcess(_ number: Int) -> Bool {
            let address = "\(1 + number / 65_536).\(number / 256 % 256).\(number % 256).1"
            if case .address = budget.takeLine(for: address, now: 1) { return true }
            return false
        }
        // The shared bucket has the burst of one network, eight addresses'.
        #expect(!(0..<20_008).contains(where: isItsOwnExcess))
        #expect(isItsOwnExcess(20_008))
    }

    @Test("Refusals of 1,024 origins are counted apart, and all others together")
    func origins() {
        let tally = RefusalTally(clock: .stopped(at: 7))
        for number in 0..<1_030 { _ = tally.add(.address("\(number)"), .rateLimited) }
        let summaries = tally.takeAll()
        #expect(summaries.count == 1_025)
        #expect(summaries.first { $0.origin == .others }?.count == 6)
    }

    @Test("Audit lines wait within 32 MiB")
    func auditLines() {
        let line = AuditLine(object: [UInt8](repeating: 0x20, count: 72))
        var queue = AuditQueue<Int>(limit: AuditWriting().limit, timeout: 1)
        let most = 32 * 1024 * 1024 / line.size
        #expect(queue.add([line], 0, at: 0).obstacle == nil)
        #expect(queue.add(Array(repeating: line, count: most), 1, at: 0).obstacle == .overloaded)
        #expect(queue.add(Array(repeating: line, count: most - 1), 2, at: 0).obstacle == nil)
    }

    @Test("256 callers have series of their own")
    func callers() {
        let registry = PrometheusRegistry()
        let metrics = LimitMetrics(registry: registry)
        for number in 0..<300 {
            metrics.add(["caller-\(number)"])
            metrics.limited("caller-\(number)")
        }
        let page = String(decoding: registry.render(), as: UTF8.self)
        let lines = page.split(separator: "\n").filter { $0.contains(#"caller="caller-"#) }
        #expect(lines.count { $0.contains("ratelimited") } == 256)
    }
}
