import TestRandomness
import TestSupport
import Testing

@testable import ServiceSupport

struct PrometheusBoundsTests {
    private let registry = PrometheusRegistry()

    private func page() throws -> ExpositionText { try ExpositionText(registry.render()) }

    @Test func sameLabelsAreTheSameSeries() throws {
        let make: @Sendable ([(name: String, value: String)]) -> Counter = registry.family("c_total", help: "C.")
        #expect(make([("a", "1"), ("b", "2")]) === make([("b", "2"), ("a", "1")]))
        #expect(make([("a", "1")]) !== make([("a", "2")]))
        #expect(make([("a", "")]) === make([]))
    }

    @Test func nameThatIsTakenKeepsItsFirstType() throws {
        let counter: Counter = registry.series("x_total", help: "First.")
        counter.increment()
        let gauge: Gauge = registry.series("x_total", help: "Second.")
        gauge.set(7)
        #expect(try page().metrics["x_total"]?.help == "First.")
    }

    @Test func infoChangesAsAWhole() throws {
        let show = registry.gauges("i", help: "I.")
        show(["1", "2", "2"].map { ([("k", $0)], 1) })
        #expect(try page().metrics["i"]?.samples.map(\.labels) == [["k": "1"], ["k": "2"]])
        show([([("k", "3")], 1)])
        #expect(try page().metrics["i"]?.samples.map(\.labels) == [["k": "3"]])
        show([])
        #expect(try page().metrics["i"] == nil)
    }

    @Test(arguments: 0..<20)
    func anyLabelsGiveAPageThatCanBeRead(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let make: @Sendable ([(name: String, value: String)]) -> Histogram = registry.family("h_seconds", help: "H.")
        for _ in 0..<200 {
            make([("a", random.text()), ("b", random.text())]).record(.milliseconds(3))
        }
        let page = try page()
        #expect(page.names == ["h_seconds"])
        #expect(page.samples.count > 19)
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
