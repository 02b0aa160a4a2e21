import TestSupport
import TestTraits
import Testing

@testable import ServiceSupport

struct PrometheusConcurrencyTests {
    private static let threads = 8
    private static let rounds = 50_000

    @Test(.watchdog)
    func nothingIsLostWhenAllCountAtOnce() async throws {
        let registry = PrometheusRegistry()
        await withTaskGroup { group in
            for _ in 0..<Self.threads {
                group.addTask {
                    await onThread { Self.useAll(of: registry) }
                }
            }
        }
        let page = try ExpositionText(registry.render())
        let total = Double(Self.threads * Self.rounds)
        #expect(page.value("c_total") == total)
        #expect(page.value("m") == total)
        #expect(page.value("t_seconds_count") == total)
        let nanoseconds = Self.threads * (Self.rounds * (Self.rounds - 1) / 2)
        #expect(page.value("t_seconds_sum") == Double(nanoseconds) / 1e9)
    }

    /// Each makes its own instruments: they must come out as the same series.
    private static func useAll(of registry: PrometheusRegistry) {
        let counter: Counter = registry.series("c_total", help: "C.")
        let gauge: Gauge = registry.series("m", help: "M.")
        let histogram: Histogram = registry.series("t_seconds", help: "T.")
        // One after the other, so that all are at the same one most of the time.
        for _ in 0..<rounds { counter.increment() }
        for _ in 0..<rounds { gauge.increment() }
        for _ in 0..<rounds { gauge.increment() }
        for _ in 0..<rounds { gauge.decrement() }
        for round in 0..<rounds { histogram.record(.nanoseconds(round)) }
    }

    @Test(.watchdog)
    func pageIsWholeWhileOthersCountAndAddSeries() async throws {
        let registry = PrometheusRegistry()
        let make: @Sendable ([(name: String, value: String)]) -> Histogram = registry.family("t_seconds", help: "T.")
        try await withThrowingTaskGroup { group in
            for task in 0..<4 {
                group.addTask {
                    for round in 0..<2_000 {
                        make([("k", "\(task).\(round % 5)")]).record(.nanoseconds(round))
                    }
                }
            }
            group.addTask {
                // The reader refuses buckets that are not cumulative and counts that are not the last bucket.
                for _ in 0..<20 { _ = try ExpositionText(registry.render()) }
            }
            try await group.waitForAll()
        }
        let page = try ExpositionText(registry.render())
        #expect(page.samples.count == 4 * 5 * 19)
    }
}
