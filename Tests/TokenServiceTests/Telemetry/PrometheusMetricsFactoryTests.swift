import CoreMetrics
import Testing

@testable import TokenService

struct PrometheusMetricsFactoryTests {
    private let registry = PrometheusRegistry()
    private var factory: PrometheusMetricsFactory { PrometheusMetricsFactory(registry: registry) }

    private func page() throws -> ExpositionText { try ExpositionText(registry.render()) }

    @Test func counterNeverFalls() throws {
        let counter = Counter(label: "c", factory: factory)
        counter.increment(by: 5)
        counter.increment(by: -3)
        counter.increment(by: 0)
        #expect(try page().value("c_total") == 5)
        counter.reset()
        #expect(try page().value("c_total") == 0)
    }

    @Test func counterIsExactBeyondWhatADoubleHolds() {
        let counter = Counter(label: "c", factory: factory)
        counter.increment(by: Int64.max)
        counter.increment(by: 2)
        #expect(String(decoding: registry.render(), as: UTF8.self).contains("\nc_total 9223372036854775809\n"))
    }

    @Test func fractionsAndWholeNumbersAddUp() throws {
        let counter = FloatingPointCounter(label: "c", factory: factory)
        counter.increment(by: 0.25)
        counter.increment(by: 1.5)
        for ignored in [-1, Double.nan, .infinity, -.infinity] { counter.increment(by: ignored) }
        Counter(label: "c", factory: factory).increment(by: 2)
        #expect(try page().value("c_total") == 3.75)
        counter.reset()
        #expect(try page().value("c_total") == 0)
    }

    @Test func gaugeShowsTheLastValue() throws {
        let gauge = Gauge(label: "g", factory: factory)
        gauge.record(7)
        gauge.record(2.5)
        #expect(try page().value("g") == 2.5)
        #expect(try page().metrics["g"]?.type == "gauge")
    }

    @Test func meterGoesUpAndDown() throws {
        let meter = Meter(label: "m", factory: factory)
        meter.set(10)
        meter.increment(by: 2.5)
        meter.decrement(by: 20)
        meter.increment()
        #expect(try page().value("m") == -6.5)
    }

    @Test func aggregatingRecorderIsAHistogram() throws {
        let recorder = Recorder(label: "r", factory: factory)
        for value in [1, 4, 5, 1_048_577] { recorder.record(value) }
        recorder.record(0.5)
        recorder.record(-2)
        for ignored in [Double.nan, .infinity, -.infinity] { recorder.record(ignored) }
        let page = try page()
        #expect(page.value("r_bucket", ["le": "1"]) == 3)
        #expect(page.value("r_bucket", ["le": "4"]) == 4)
        #expect(page.value("r_bucket", ["le": "16"]) == 5)
        #expect(page.value("r_bucket", ["le": "1048576"]) == 5)
        #expect(page.value("r_bucket", ["le": "+Inf"]) == 6)
        #expect(page.value("r_sum") == 1_048_585.5)
        #expect(page.value("r_count") == 6)
    }

    @Test func timerIsAHistogramInSeconds() throws {
        let timer = Timer(label: "t", factory: factory)
        for bound in PrometheusRegistry.durationBounds {
            timer.recordNanoseconds(Int64((bound * 1e9).rounded()))
            timer.recordNanoseconds(Int64((bound * 1e9).rounded()) + 1)
        }
        let page = try page()
        for (index, bound) in PrometheusRegistry.durationBounds.enumerated() {
            // A bound belongs to its range; a nanosecond more doesn't.
            #expect(page.value("t_seconds_bucket", ["le": PrometheusPage.number(bound)]) == Double(2 * index + 1))
        }
        #expect(page.value("t_seconds_count") == 32)
        #expect(page.value("t_seconds_sum") == 38.888_700_016)
    }

    @Test func timeBeforeItsStartCountsAsNone() throws {
        let timer = Timer(label: "t", factory: factory)
        timer.recordNanoseconds(-5)
        timer.recordNanoseconds(Int64.min)
        let page = try page()
        #expect(page.value("t_seconds_bucket", ["le": "0.0001"]) == 2)
        #expect(page.value("t_seconds_sum") == 0)
    }

    @Test(arguments: [
        ("http.server.requests", "http_server_requests_total"), ("a_total", "a_total"), ("1st", "_1st_total"),
        ("a:b-c d", "a_b_c_d_total"), ("émoi", "_moi_total"), ("🚚", "__total"), ("e\u{301}", "e__total"),
    ])
    func nameIsMadeFit(label: String, name: String) throws {
        Counter(label: label, factory: factory).increment()
        #expect(try page().value(name) == 1)
    }

    @Test func sameNameAndLabelsShareASeries() throws {
        for dimensions in [[("a", "1"), ("b", "2")], [("b", "2"), ("a", "1")], [("a", "1"), ("b", "2"), ("c", "")]] {
            Counter(label: "c", dimensions: dimensions, factory: factory).increment()
        }
        Counter(label: "c", dimensions: [("a", "1"), ("b", "2")], factory: factory).destroy()
        #expect(try page().metrics["c_total"]?.samples.map(\.value) == [3])
    }

    @Test func canonicallyEqualLabelsAreTwo() throws {
        Counter(label: "c", dimensions: [("k", "\u{E9}")], factory: factory).increment()
        Counter(label: "c", dimensions: [("k", "e\u{301}")], factory: factory).increment()
        #expect(registry.render().count(of: "\nc_total{") == 2)
    }
}

extension [UInt8] {
    /// How often a text occurs.
    func count(of text: String) -> Int {
        ranges(of: Array(text.utf8)).count
    }
}
