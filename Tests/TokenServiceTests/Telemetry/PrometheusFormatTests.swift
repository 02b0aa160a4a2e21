import CoreMetrics
import Testing

@testable import TokenService

struct PrometheusFormatTests {
    private let registry = PrometheusRegistry()
    private var factory: PrometheusMetricsFactory { PrometheusMetricsFactory(registry: registry) }

    @Test func pageIsExactlyTheFormat() {
        registry.declare("a_total", .counter, help: "What a counts.", capacity: 2)
        Counter(label: "a", dimensions: [("z", "1"), ("b", "2")], factory: factory).increment(by: 3)
        Counter(label: "a_total", dimensions: [("b", "1")], factory: factory).increment()
        Meter(label: "b.c", factory: factory).set(-1.5)
        let timer = Timer(label: "d", dimensions: [("k", "v")], factory: factory)
        timer.recordNanoseconds(100_000)
        timer.recordNanoseconds(100_001)
        timer.recordSeconds(11)

        let page = """
            # HELP a_total What a counts.
            # TYPE a_total counter
            a_total{b="1"} 1
            a_total{b="2",z="1"} 3
            # HELP b_c Reported by a library as b.c.
            # TYPE b_c gauge
            b_c -1.5
            # HELP d_seconds Reported by a library as d.
            # TYPE d_seconds histogram
            d_seconds_bucket{k="v",le="0.0001"} 1
            d_seconds_bucket{k="v",le="0.00025"} 2
            d_seconds_bucket{k="v",le="0.0005"} 2
            d_seconds_bucket{k="v",le="0.001"} 2
            d_seconds_bucket{k="v",le="0.0025"} 2
            d_seconds_bucket{k="v",le="0.005"} 2
            d_seconds_bucket{k="v",le="0.01"} 2
            d_seconds_bucket{k="v",le="0.025"} 2
            d_seconds_bucket{k="v",le="0.05"} 2
            d_seconds_bucket{k="v",le="0.1"} 2
            d_seconds_bucket{k="v",le="0.25"} 2
            d_seconds_bucket{k="v",le="0.5"} 2
            d_seconds_bucket{k="v",le="1"} 2
            d_seconds_bucket{k="v",le="2.5"} 2
            d_seconds_bucket{k="v",le="5"} 2
            d_seconds_bucket{k="v",le="10"} 2
            d_seconds_bucket{k="v",le="+Inf"} 3
            d_seconds_sum{k="v"} 11.000200001
            d_seconds_count{k="v"} 3
            # HELP fleet_token_metrics_dropped_total Time series asked for and not kept, by reason.
            # TYPE fleet_token_metrics_dropped_total counter
            fleet_token_metrics_dropped_total{reason="conflict"} 0
            fleet_token_metrics_dropped_total{reason="invalid"} 0
            fleet_token_metrics_dropped_total{reason="limit"} 0

            """
        #expect(String(decoding: registry.render(), as: UTF8.self) == page)
    }

    @Test func metricThatWasDeclaredAndNeverUsedIsNotShown() throws {
        registry.declare("unused_total", .counter, help: "Nothing.", capacity: 1)
        #expect(try ExpositionText(registry.render()).names == ["fleet_token_metrics_dropped_total"])
    }

    @Test(arguments: [
        "plain", "\"quoted\"", "back\\slash", "\\n", "line\nfeed", "\\\n\"", "}", "{a=\"b\"} 1", " ", "é", "\u{202E}x",
        "e\u{301}", "🚚", "a\u{2028}b",
    ])
    func labelValueComesBackAsItWas(value: String) throws {
        Counter(label: "c", dimensions: [("k", value)], factory: factory).increment()
        let sample = try #require(try ExpositionText(registry.render()).metrics["c_total"]?.samples.first)
        // Compared by bytes: to String's `==`, é and e with an accent are the same.
        #expect(sample.labels["k"].map { Array($0.utf8) } == Array(value.utf8))
    }

    @Test(arguments: ["a\0b", "a\rb", "a\u{1B}b", "a\u{7F}b", "a\u{85}b"])
    func controlCharacterInALabelIsReplaced(value: String) throws {
        Counter(label: "c", dimensions: [("k", value)], factory: factory).increment()
        #expect(try ExpositionText(registry.render()).value("c_total", ["k": "a\u{FFFD}b"]) == 1)
    }

    @Test func helpIsEscaped() throws {
        registry.declare("x_total", .counter, help: "one\ntwo \\ \"three\"\r", capacity: 1)
        Counter(label: "x", factory: factory).increment()
        #expect(try ExpositionText(registry.render()).metrics["x_total"]?.help == "one\ntwo \\ \"three\"\u{FFFD}")
    }

    @Test(arguments: [
        (0, "0"), (-0.0, "-0"), (1, "1"), (-2, "-2"), (0.1, "0.1"), (1.5, "1.5"), (1e16, "1e+16"),
        (.leastNonzeroMagnitude, "5e-324"),
        (.infinity, "+Inf"), (-.infinity, "-Inf"), (.nan, "NaN"), (100, "100"),
    ])
    func numberIsWrittenInItsShortestForm(value: Double, text: String) {
        #expect(PrometheusPage.number(value) == text)
    }
}
