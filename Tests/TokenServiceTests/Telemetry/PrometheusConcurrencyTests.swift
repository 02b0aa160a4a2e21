import CoreMetrics
import Testing

@testable import TokenService

struct PrometheusConcurrencyTests {
    private static let threads = 8
    private static let rounds = 50_000

    @Test(.timeLimit(.minutes(1)))
    func nothingIsLostWhenAllCountAtOnce() async throws {
        let registry = PrometheusRegistry()
        let factory = PrometheusMetricsFactory(registry: registry)
        await withTaskGroup { group in
            for _ in 0..<Self.threads {
                group.addTask {
                    await onThread { Self.useAll(of: factory) }
                }
            }
        }
        let page = try ExpositionText(registry.render())
        let total = Double(Self.threads * Self.rounds)
        #expect(page.value("c_total") == total)
        #expect(page.value("f_total") == total * 0.25)
        #expect(page.value("m") == total)
        #expect(page.value("r_sum") == total * 0.5)
        #expect(page.value("r_count") == total)
        #expect(page.value("t_seconds_count") == total)
        let nanoseconds = Self.threads * (Self.rounds * (Self.rounds - 1) / 2)
        #expect(page.value("t_seconds_sum") == Double(nanoseconds) / 1e9)
    }

    /// Each makes its own instruments: they must come out as the same series.
    private static func useAll(of factory: PrometheusMetricsFactory) {
        let counter = Counter(label: "c", factory: factory)
        let fractions = FloatingPointCounter(label: "f", factory: factory)
        let meter = Meter(label: "m", factory: factory)
        let recorder = Recorder(label: "r", factory: factory)
        let timer = Timer(label: "t", factory: factory)
        // One after the other, so that all are at the same one most of the time.
        for _ in 0..<rounds { counter.increment() }
        for _ in 0..<rounds { fractions.increment(by: 0.25) }
        for _ in 0..<rounds { meter.increment(by: 2) }
        for _ in 0..<rounds { meter.decrement(by: 1) }
        for _ in 0..<rounds { recorder.record(0.5) }
        for round in 0..<rounds { timer.recordNanoseconds(Int64(round)) }
    }

    @Test(.timeLimit(.minutes(1)))
    func pageIsWholeWhileOthersCountAndAddSeries() async throws {
        let registry = PrometheusRegistry(maximumSeries: 500)
        let factory = PrometheusMetricsFactory(registry: registry)
        try await withThrowingTaskGroup { group in
            for task in 0..<4 {
                group.addTask {
                    for round in 0..<2_000 {
                        let dimensions = [("k", "\(task).\(round % 50)")]
                        Timer(label: "t", dimensions: dimensions, factory: factory).recordNanoseconds(Int64(round))
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
        #expect(page.samples.count <= 500 + PrometheusDrop.allCases.count)
    }

    @Test(.timeLimit(.minutes(1)))
    func tableGivesAllTheSameInstrument() async throws {
        let registry = PrometheusRegistry()
        let metrics = ServiceMetrics(registry: registry, version: "1")
        await withTaskGroup { group in
            for _ in 0..<Self.threads {
                group.addTask {
                    for _ in 0..<1_000 {
                        for route in RouteLabel.allCases {
                            metrics.requests[route, .get, StatusLabel(status: 200)].increment()
                        }
                    }
                }
            }
        }
        let samples = try #require(try ExpositionText(registry.render()).metrics["fleet_token_http_requests_total"])
        #expect(samples.samples.map(\.value) == RouteLabel.allCases.map { _ in Double(Self.threads * 1_000) })
    }
}
