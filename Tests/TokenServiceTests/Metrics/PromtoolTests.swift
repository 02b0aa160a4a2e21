import FleetToken
import Foundation
import TestSupport
import TestTraits
import Testing
import TokenMinting

@testable import ServiceSupport
@testable import TokenIssuance
@testable import TokenService

/// Prometheus' own checker has the last word on the format and on the names.
@Suite(
    .enabled(
        if: Requirement.runs(where: Promtool.isInstalled),
        "promtool is not installed (Debian: apt-get install prometheus)"
    )
)
struct PromtoolTests {
    @Test("promtool has no remark on the service's metrics", .watchdog)
    func serviceMetrics() throws {
        let registry = PrometheusRegistry()
        let metrics = ServiceMetrics(registry: registry, version: "1.0.0")
        metrics.requests[.tokenByID, .get, StatusLabel(status: 200)].increment()
        metrics.requestDuration[.tokenByID].record(.seconds(0.25))
        metrics.issuance.denied[.unknown, RefusalReasonLabel(.unknownKind)].increment()
        metrics.issuance.mintDuration[.driver, .signed].record(.seconds(0.5))
        metrics.issuance.signing.durations[.local, .signed].record(.seconds(2))
        #expect(try Promtool.remarks(registry.render()) == "")
    }
}
