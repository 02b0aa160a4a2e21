import TestSupport
import Testing

@testable import ServiceSupport

struct PrometheusFormatTests {
    private let registry = PrometheusRegistry()

    /// A counter `c_total` with one label, counted once.
    private func count(_ value: String) {
        let make: @Sendable ([(name: String, value: String)]) -> Counter = registry.family("c_total", help: "C.")
        make([("k", value)]).increment()
    }

    @Test func pageIsExactlyTheFormat() {
        let a: @Sendable ([(name: String, value: String)]) -> Counter = registry.family(
            "a_total",
            help: "What a counts."
        )
        a([("z", "1"), ("b", "2")]).increment(by: 3)
        a([("b", "1")]).increment()
        let gauge: Gauge = registry.series("b_c", help: "What b is.")
        gauge.set(-1.5)
        let d: @Sendable ([(name: String, value: String)]) -> Histogram = registry.family(
            "d_seconds",
            help: "What d takes."
        )
        for duration: Duration in [.nanoseconds(100_000), .nanoseconds(100_001), .seconds(11)] {
            d([("k", "v")]).record(duration)
        }

        let page = """
            # HELP a_total What a counts.
            # TYPE a_total counter
            a_total{b="1"} 1
            a_total{b="2",z="1"} 3
            # HELP b_c What b is.
            # TYPE b_c gauge
            b_c -1.5
            # HELP d_seconds What d takes.
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

            """
        #expect(String(decoding: registry.render(), as: UTF8.self) == page)
    }

    @Test func metricThatWasDeclaredAndNeverUsedIsNotShown() throws {
        let _: @Sendable ([(name: String, value: String)]) -> Counter = registry.family(
            "unused_total",
            help: "Nothing."
        )
        #expect(try ExpositionText(registry.render()).names == [])
    }

    @Test(arguments: [
        "plain", "\"quoted\"", "back\\slash", "\\n", "line\nfeed", "\\\n\"", "}", "{a=\"b\"} 1", " ", "é", "\u{202E}x",
        "e\u{301}", "🚚", "a\u{2028}b",
    ])
    func labelValueComesBackAsItWas(value: String) throws {
        count(value)
        let sample = try #require(try ExpositionText(registry.render()).metrics["c_total"]?.samples.first)
        // Compared by bytes: to String's `==`, é and e with an accent are the same.
        #expect(sample.labels["k"].map { Array($0.utf8) } == Array(value.utf8))
    }

    @Test(arguments: ["a\0b", "a\rb", "a\u{1B}b", "a\u{7F}b", "a\u{85}b"])
    func controlCharacterInALabelIsReplaced(value: String) throws {
        count(value)
        #expect(try ExpositionText(registry.render()).value("c_total", ["k": "a\u{FFFD}b"]) == 1)
    }

    @Test func helpIsEscaped() throws {
        let counter: Counter = registry.series("x_total", help: "one\ntwo \\ \"three\"\r")
        counter.increment()
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
