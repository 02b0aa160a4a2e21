import CoreMetrics
import TestRandomness
import Testing

@testable import TokenService

struct PrometheusBoundsTests {
    private func page(_ registry: PrometheusRegistry) throws -> ExpositionText {
        try ExpositionText(registry.render())
    }

    private func dropped(_ registry: PrometheusRegistry, _ reason: String) throws -> Double? {
        try page(registry).value("fleet_token_metrics_dropped_total", ["reason": reason])
    }

    @Test func seriesOverTheBoundAreDroppedAndCounted() throws {
        let registry = PrometheusRegistry(maximumSeries: 10)
        let factory = PrometheusMetricsFactory(registry: registry)
        for id in 0..<1_000 {
            Counter(label: "c", dimensions: [("id", String(id))], factory: factory).increment()
            Meter(label: "m\(id)", factory: factory).set(1)
        }
        let page = try page(registry)
        #expect(page.samples.count == 10 + PrometheusDrop.allCases.count)
        #expect(try dropped(registry, "limit") == 1_990)
        // What was there before still counts.
        Counter(label: "c", dimensions: [("id", "0")], factory: factory).increment()
        #expect(try self.page(registry).value("c_total", ["id": "0"]) == 2)
    }

    @Test func histogramCountsWithAllItsSeries() throws {
        let registry = PrometheusRegistry(maximumSeries: 19)
        let factory = PrometheusMetricsFactory(registry: registry)
        Timer(label: "first", factory: factory).recordSeconds(1)
        Timer(label: "second", factory: factory).recordSeconds(1)
        #expect(try page(registry).names == ["first_seconds", "fleet_token_metrics_dropped_total"])
        #expect(try dropped(registry, "limit") == 1)
    }

    @Test func floodLeavesADeclaredMetricItsRoom() throws {
        let registry = PrometheusRegistry(maximumSeries: 10)
        let factory = PrometheusMetricsFactory(registry: registry)
        registry.declare("mine_total", .counter, help: "Mine.", capacity: 2)
        for id in 0..<100 { Counter(label: "flood\(id)", factory: factory).increment() }
        for id in 0..<3 { Counter(label: "mine_total", dimensions: [("k", "\(id)")], factory: factory).increment() }
        #expect(try page(registry).metrics["mine_total"]?.samples.count == 2)
        #expect(try dropped(registry, "limit") == 91)
    }

    @Test func nameOfAnotherKindIsRefused() throws {
        let registry = PrometheusRegistry()
        let factory = PrometheusMetricsFactory(registry: registry)
        Counter(label: "x", factory: factory).increment()
        Meter(label: "x_total", factory: factory).set(7)
        Timer(label: "t", factory: factory).recordSeconds(1)
        Recorder(label: "t_seconds", factory: factory).record(1)
        Meter(label: "t_seconds_count", factory: factory).set(7)
        registry.declare("t_seconds", .gauge, help: "Too late.", capacity: 1)
        #expect(try dropped(registry, "conflict") == 4)
        #expect(try page(registry).names == ["fleet_token_metrics_dropped_total", "t_seconds", "x_total"])
    }

    @Test(arguments: [
        [("le", "1")], [("quantile", "1")], [("__name__", "x")], [("__x", "x")], [("a", "1"), ("a", "2")],
        [("a.b", "1"), ("a-b", "2")], [("", "x")], [("k", String(repeating: "x", count: 257))],
        [(String(repeating: "k", count: 129), "x")], (0..<17).map { ("k\($0)", "x") },
    ])
    func labelsThatPrometheusDoesNotTakeAreRefused(dimensions: [(String, String)]) throws {
        let registry = PrometheusRegistry()
        let factory = PrometheusMetricsFactory(registry: registry)
        Counter(label: "c", dimensions: dimensions, factory: factory).increment()
        #expect(try page(registry).metrics["c_total"] == nil)
        #expect(try dropped(registry, "invalid") == 1)
    }

    @Test(arguments: ["", String(repeating: "x", count: 129)])
    func nameThatIsNoneIsRefused(label: String) throws {
        let registry = PrometheusRegistry()
        Counter(label: label, factory: PrometheusMetricsFactory(registry: registry)).increment()
        #expect(try dropped(registry, "invalid") == 1)
    }

    @Test(arguments: 0..<20)
    func anyNamesAndLabelsGiveAPageThatCanBeRead(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let registry = PrometheusRegistry(maximumSeries: 300)
        let factory = PrometheusMetricsFactory(registry: registry)
        for _ in 0..<200 {
            let label = random.text()
            let dimensions = (0..<Int.random(in: 0...3, using: &random)).map { _ in (random.text(), random.text()) }
            switch Int.random(in: 0...4, using: &random) {
            case 0: Counter(label: label, dimensions: dimensions, factory: factory).increment()
            case 1: FloatingPointCounter(label: label, dimensions: dimensions, factory: factory).increment(by: 0.1)
            case 2: Meter(label: label, dimensions: dimensions, factory: factory).set(Double.nan)
            case 3: Recorder(label: label, dimensions: dimensions, factory: factory).record(3)
            default: Timer(label: label, dimensions: dimensions, factory: factory).recordMilliseconds(3)
            }
        }
        let page = try page(registry)
        #expect(page.samples.count <= 300 + PrometheusDrop.allCases.count)
        #expect(page.names == page.names.sorted())
    }
}

extension SeededGenerator {
    /// A short text, mostly of characters that make trouble.
    mutating func text() -> String {
        let pieces = ["a", "b", "_", ".", "1", "\\", "\"", "\n", "\r", "\0", "{", "}", ",", "=", " ", "#", "é", "🚚"]
        return (0..<Int.random(in: 0...4, using: &self)).map { _ in
            pieces[Int.random(in: 0..<pieces.count, using: &self)]
        }.joined()
    }
}
