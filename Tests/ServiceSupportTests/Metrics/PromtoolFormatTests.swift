import TestSupport
import TestTraits
import Testing

@testable import ServiceSupport

/// Prometheus' own checker has the last word on the format.
@Suite(
    .enabled(
        if: Requirement.runs(where: Promtool.isInstalled),
        "promtool is not installed (Debian: apt-get install prometheus)"
    )
)
struct PromtoolFormatTests {
    @Test(.watchdog)
    func anyLabelPassesWithoutARemark() throws {
        let registry = PrometheusRegistry()
        let counter: @Sendable ([(name: String, value: String)]) -> Counter = registry.family("c_total", help: "C.")
        for value in ["\"", "\\", "\n", "\r", "\0", "\u{202E}", "🚚", "}"] { counter([("k", value)]).increment() }
        let gauge: @Sendable ([(name: String, value: String)]) -> Gauge = registry.family("m", help: "M.")
        gauge([("k", "1")]).set(.nan)
        gauge([("k", "2")]).set(-.infinity)
        let result = try Promtool.check(registry.render())
        #expect(result == .pass)
    }
}
