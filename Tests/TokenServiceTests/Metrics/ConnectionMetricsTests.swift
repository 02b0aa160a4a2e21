import ServiceSupport
import TestSupport
import Testing

@testable import HTTPServer
@testable import TokenService

struct ConnectionMetricsTests {
    @Test func connectionsAreCountedInAndOut() throws {
        let registry = PrometheusRegistry()
        let counter = ConnectionCounter(
            maximum: 2,
            maximumPerAddress: 2,
            metrics: ConnectionMetrics(registry: registry),
            isShared: { _ in false }
        )
        #expect([counter.add("a"), counter.add("b"), counter.add("c")] == [true, true, false])
        counter.remove("a")
        let page = try ExpositionText(registry.render())
        #expect(page.value("fleet_token_connections") == 1)
        #expect(page.value("fleet_token_connections_refused_total") == 1)
    }
}
