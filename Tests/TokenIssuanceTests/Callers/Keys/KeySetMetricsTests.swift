import FleetToken
import TestSupport
import Testing

@testable import ServiceSupport
@testable import TokenIssuance

struct KeySetMetricsTests {
    @Test
    func `The time of the last fetch is shown for each caller of the issuer, and is 0 before`() throws {
        let prometheus = PrometheusMetrics()
        let metrics = KeySetMetrics(factory: prometheus, clock: .stopped(at: 1_800_000_000))
        let plan = try KeySetPlan(.firebase(project: "my-project"))
        func shown(_ caller: String) throws -> Double? {
            let name = "fleet_token_jwks_last_success_timestamp_seconds"
            return try MetricsPage(prometheus.page()).value(name, ["caller": caller])
        }
        metrics.add("app", plan)
        // A configuration that is loaded again changes nothing.
        metrics.add("app", plan)
        #expect(try shown("app") == 0)
        metrics.add("other", plan)
        metrics.fetched(plan)
        #expect(try shown("app") == 1_800_000_000)
        #expect(try shown("other") == 1_800_000_000)
    }
}
