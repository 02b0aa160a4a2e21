import Metrics
import TestSupport
import TestTools
import Testing

@testable import ServiceSupport

/// The page that Prometheus reads.
@Suite(.watchdog)
struct PrometheusTests {
    private let prometheus = PrometheusMetrics()

    private func page() throws -> MetricsPage { try MetricsPage(prometheus.page()) }

    private func counter(_ labels: [(String, String)]) -> Counter {
        Counter(label: "c_total", dimensions: labels, factory: prometheus)
    }

    private func timer(_ labels: [(String, String)]) -> Timer {
        Timer(label: "t_seconds", dimensions: labels, factory: prometheus)
    }

    @Test
    func `The page is exactly the format`() throws {
        let prometheus = PrometheusMetrics(help: ["a_total": "What a is.", "d_seconds": "What d is.", "e": "Unused."])
        Counter(label: "a_total", dimensions: [("z", "1"), ("b", "2")], factory: prometheus).increment(by: 3)
        Counter(label: "a_total", dimensions: [("b", "1")], factory: prometheus).increment()
        Meter(label: "b_c", factory: prometheus).set(-1.5)
        FloatingPointCounter(label: "c_total", factory: prometheus).increment(by: 0.5)
        for duration: Duration in [.nanoseconds(100_000), .nanoseconds(100_001), .seconds(11), .seconds(-1)] {
            Timer(label: "d_seconds", dimensions: [("k", "v")], factory: prometheus).record(duration: duration)
        }
        let buckets = HistogramSeries.bounds.dropFirst().map {
            "d_seconds_bucket{k=\"v\",le=\"\(PrometheusPage.number($0))\"} 3\n"
        }
        let page = """
            # HELP a_total What a is.
            # TYPE a_total counter
            a_total{b="1"} 1
            a_total{b="2",z="1"} 3
            # TYPE b_c gauge
            b_c -1.5
            # TYPE c_total counter
            c_total 0.5
            # HELP d_seconds What d is.
            # TYPE d_seconds histogram
            d_seconds_bucket{k="v",le="0.0001"} 2
            \(buckets.joined())d_seconds_bucket{k="v",le="+Inf"} 4
            d_seconds_sum{k="v"} 11.000200001
            d_seconds_count{k="v"} 4

            """
        #expect(String(decoding: prometheus.page(), as: UTF8.self) == page)
    }

    @Test(
        arguments: [
            "plain", "\"quoted\"", "back\\slash", "\\n", "line\nfeed", "\\\n\"", "}", "{a=\"b\"} 1", " ", "é",
            "\u{202E}x", "e\u{301}", "🚚", "a\u{2028}b",
        ].map { ($0, $0) } + ["a\0b", "a\rb", "a\u{1B}b", "a\u{7F}b", "a\u{85}b"].map { ($0, "a\u{FFFD}b") }
    )
    func `A label's value comes back as it was, but for control characters, which are replaced`(
        value: String,
        shown: String
    ) throws {
        counter([("k", value)]).increment()
        let sample = try #require(try page().samples.first)
        // Compared by bytes: to String's `==`, é and e with an accent are the same.
        #expect(sample.labels["k"].map { Array($0.utf8) } == Array(shown.utf8))
    }

    @Test
    func `Help is escaped`() throws {
        let prometheus = PrometheusMetrics(help: ["x_total": "one\ntwo \\ \"three\"\r"])
        Counter(label: "x_total", factory: prometheus).increment()
        let page = String(decoding: prometheus.page(), as: UTF8.self)
        #expect(page.hasPrefix(#"# HELP x_total one\ntwo \\ "three"\#u{FFFD}"# + "\n"))
    }

    @Test(
        arguments: [
            (0, "0"), (-0.0, "-0"), (1, "1"), (-2, "-2"), (0.1, "0.1"), (1.5, "1.5"), (1e16, "1e+16"),
            (.leastNonzeroMagnitude, "5e-324"), (.infinity, "+Inf"), (-.infinity, "-Inf"), (.nan, "NaN"), (100, "100"),
        ]
    )
    func `A number is written in its shortest form`(value: Double, text: String) {
        #expect(PrometheusPage.number(value) == text)
    }

    @Test
    func `The same labels, in any order, are the same series; an empty value is no label`() throws {
        for labels in [[("a", "1"), ("b", "2")], [("b", "2"), ("a", "1")], [("a", "1")], [("a", "")], []] {
            counter(labels).increment()
        }
        let page = try page()
        #expect(page.value("c_total", ["a": "1", "b": "2"]) == 2)
        #expect(page.value("c_total", ["a": "1"]) == 1)
        #expect(page.value("c_total") == 2)
    }

    private struct Key: MetricLabels {
        let key: String

        var dimensions: [(String, String)] { [("k", key)] }
    }

    @Test
    func `Meters that are replaced as a whole show the last series only`() throws {
        let meters = MetricFamily<Key, Meter>("i", factory: prometheus)
        for values in [["1", "2"], ["3"], []] {
            meters.replace(with: Dictionary(uniqueKeysWithValues: values.map { (Key(key: $0), 1) }))
            #expect(try page().samples(of: "i").compactMap { $0.labels["k"] } == values)
        }
    }

    @Test
    func `An instrument is made once for each combination of labels`() throws {
        let counters = MetricFamily<Key, Counter>("c_total", factory: prometheus)
        #expect(counters[Key(key: "a")] === counters[Key(key: "a")])
        counters[Key(key: "a")].increment()
        _ = counters[Key(key: "b")]
        #expect(try page().value("c_total", ["k": "a"]) == 1)
        #expect(try page().value("c_total", ["k": "b"]) == 0)
    }

    /// Prometheus's own checker has the last word.
    @Test(
        .enabled(
            if: Requirement.runs(where: Promtool.isInstalled),
            "promtool is not installed (Debian: apt-get install prometheus)"
        )
    )
    func `promtool has no remark on unusual labels and values`() throws {
        let prometheus = PrometheusMetrics(help: ["c_total": "C.", "m": "M."])
        func count(_ labels: [(String, String)]) {
            Counter(label: "c_total", dimensions: labels, factory: prometheus).increment()
        }
        let values = ["\"", "\\", "\n", "\r", "\0", "\u{202E}", "🚚", "}", "{a=\"b\"} 1", "\\\n\"", "#", ",", "="]
        for value in values { count([("k", value)]) }
        Meter(label: "m", dimensions: [("k", "1")], factory: prometheus).set(Double.nan)
        Meter(label: "m", dimensions: [("k", "2")], factory: prometheus).set(-Double.infinity)
        #expect(try Promtool.remarks(prometheus.page()) == "")
    }

    @Test
    func `Of what many threads count at once, nothing is lost`() async throws {
        let (threads, rounds) = (8, 5_000)
        await withTaskGroup { group in
            for _ in 0..<threads {
                group.addTask {
                    await onThread {
                        // Each makes its own instruments: they must be the same series.
                        let (counter, timer) = (counter([]), timer([]))
                        // One after the other, so that all are at the same one most of the time.
                        for _ in 0..<rounds { counter.increment() }
                        for round in 0..<rounds { timer.recordNanoseconds(round) }
                    }
                }
            }
        }
        let page = try page()
        for name in ["c_total", "t_seconds_count"] { #expect(page.value(name) == Double(threads * rounds)) }
        #expect(page.value("t_seconds_sum") == Double(threads * (rounds * (rounds - 1) / 2)) / 1e9)
    }

    @Test
    func `The page is whole while others count and add series`() async throws {
        try await withThrowingTaskGroup { [prometheus] group in
            for task in 0..<4 {
                group.addTask {
                    for round in 0..<2_000 { timer([("k", "\(task).\(round % 5)")]).recordNanoseconds(round) }
                }
            }
            group.addTask {
                for _ in 0..<20 {
                    let page = try MetricsPage(prometheus.page())
                    for series in Dictionary(grouping: page.samples, by: { $0.labels["k"] }).values {
                        let buckets = series.filter { $0.name == "t_seconds_bucket" }.map(\.value)
                        #expect(buckets == buckets.sorted())
                        #expect(series.first { $0.name == "t_seconds_count" }?.value == buckets.last)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try page().samples.count == 4 * 5 * 19)
    }
}
