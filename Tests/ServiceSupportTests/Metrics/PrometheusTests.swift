import TestSupport
import TestTools
import Testing

@testable import ServiceSupport

/// The page that Prometheus reads, as a reader of its own understands it.
@Suite(.watchdog)
struct PrometheusTests {
    private let registry = PrometheusRegistry()

    private func page() throws -> ExpositionText { try ExpositionText(registry.render()) }

    private func family<Series: PrometheusSeries>(
        _ name: String
    ) -> @Sendable (_ labels: [(name: String, value: String)]) -> Series {
        registry.family(name, help: "What \(name) is.")
    }

    @Test
    func `The page is exactly the format, without a metric that is declared and never used`() {
        let _: @Sendable ([(name: String, value: String)]) -> Counter = family("unused_total")
        let a: @Sendable ([(name: String, value: String)]) -> Counter = family("a_total")
        a([("z", "1"), ("b", "2")]).increment(by: 3)
        a([("b", "1")]).increment()
        let gauge: Gauge = registry.series("b_c", help: "What b_c is.")
        gauge.set(-1.5)
        let d: @Sendable ([(name: String, value: String)]) -> Histogram = family("d_seconds")
        for duration: Duration in [.nanoseconds(100_000), .nanoseconds(100_001), .seconds(11)] {
            d([("k", "v")]).record(duration)
        }
        let buckets = Histogram.seconds.dropFirst().map {
            "d_seconds_bucket{k=\"v\",le=\"\(PrometheusPage.number($0))\"} 2\n"
        }
        let page = """
            # HELP a_total What a_total is.
            # TYPE a_total counter
            a_total{b="1"} 1
            a_total{b="2",z="1"} 3
            # HELP b_c What b_c is.
            # TYPE b_c gauge
            b_c -1.5
            # HELP d_seconds What d_seconds is.
            # TYPE d_seconds histogram
            d_seconds_bucket{k="v",le="0.0001"} 1
            \(buckets.joined())d_seconds_bucket{k="v",le="+Inf"} 3
            d_seconds_sum{k="v"} 11.000200001
            d_seconds_count{k="v"} 3

            """
        #expect(String(decoding: registry.render(), as: UTF8.self) == page)
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
        let make: @Sendable ([(name: String, value: String)]) -> Counter = family("c_total")
        make([("k", value)]).increment()
        let sample = try #require(try page().metrics["c_total"]?.samples.first)
        // Compared by bytes: to String's `==`, é and e with an accent are the same.
        #expect(sample.labels["k"].map { Array($0.utf8) } == Array(shown.utf8))
    }

    @Test
    func `Help is escaped`() throws {
        let counter: Counter = registry.series("x_total", help: "one\ntwo \\ \"three\"\r")
        counter.increment()
        #expect(try page().metrics["x_total"]?.help == "one\ntwo \\ \"three\"\u{FFFD}")
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
        let make: @Sendable ([(name: String, value: String)]) -> Counter = family("c_total")
        #expect(make([("a", "1"), ("b", "2")]) === make([("b", "2"), ("a", "1")]))
        #expect(make([("a", "1")]) !== make([("a", "2")]))
        #expect(make([("a", "")]) === make([]))
    }

    @Test
    func `Gauges that change as a whole show the last series only`() throws {
        let show = registry.gauges("i", help: "I.")
        for (values, shown) in [(["1", "2", "2"], ["1", "2"]), (["3"], ["3"]), ([], nil)] as [([String], [String]?)] {
            show(values.map { ([("k", $0)], 1) })
            #expect(try page().metrics["i"]?.samples.compactMap { $0.labels["k"] } == shown)
        }
    }

    @Test(arguments: 0..<20)
    func `Any labels give a page that can be read`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let make: @Sendable ([(name: String, value: String)]) -> Histogram = family("h_seconds")
        for _ in 0..<200 {
            make([("a", random.text()), ("b", random.text())]).record(.milliseconds(3))
        }
        let page = try page()
        #expect(page.names == ["h_seconds"])
        #expect(page.samples.count > 19)
    }

    /// Prometheus's own checker has the last word.
    @Test(
        .enabled(
            if: Requirement.runs(where: Promtool.isInstalled),
            "promtool is not installed (Debian: apt-get install prometheus)"
        )
    )
    func `promtool has no remark on unusual labels and values`() throws {
        let counter: @Sendable ([(name: String, value: String)]) -> Counter = family("c_total")
        for value in ["\"", "\\", "\n", "\r", "\0", "\u{202E}", "🚚", "}"] { counter([("k", value)]).increment() }
        let gauge: @Sendable ([(name: String, value: String)]) -> Gauge = family("m")
        gauge([("k", "1")]).set(.nan)
        gauge([("k", "2")]).set(-.infinity)
        #expect(try Promtool.remarks(registry.render()) == "")
    }

    @Test
    func `Of what many threads count at once, nothing is lost`() async throws {
        let (threads, rounds) = (8, 50_000)
        await withTaskGroup { [registry] group in
            for _ in 0..<threads {
                group.addTask {
                    await onThread {
                        // Each makes its own instruments: they must be the same series.
                        let counter: Counter = registry.series("c_total", help: "C.")
                        let histogram: Histogram = registry.series("t_seconds", help: "T.")
                        // One after the other, so that all are at the same one most of the time.
                        for _ in 0..<rounds { counter.increment() }
                        for round in 0..<rounds { histogram.record(.nanoseconds(round)) }
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
        let make: @Sendable ([(name: String, value: String)]) -> Histogram = family("t_seconds")
        try await withThrowingTaskGroup { [registry] group in
            for task in 0..<4 {
                group.addTask {
                    for round in 0..<2_000 { make([("k", "\(task).\(round % 5)")]).record(.nanoseconds(round)) }
                }
            }
            group.addTask {
                // The reader refuses buckets that are not cumulative and counts that are not the last bucket.
                for _ in 0..<20 { _ = try ExpositionText(registry.render()) }
            }
            try await group.waitForAll()
        }
        #expect(try page().samples.count == 4 * 5 * 19)
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
