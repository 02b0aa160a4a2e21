import Logging
import TestSupport
import Testing

@testable import HTTPServer
@testable import ServiceSupport
@testable import TokenIssuance
@testable import TokenService

/// What the service takes from its configuration for its connections and its end.
struct TokenServerTests {
    @Test("A connection has the configured limits")
    func limits() {
        var limits = ConnectionLimits()
        (limits.connections, limits.idle, limits.receive, limits.handle) = (80, 4, 5, 6)
        let policy = ConnectionPolicy(limits)
        #expect([policy.maximumConnections, policy.maximumConnectionsPerAddress] == [80, 10])
        let times = [policy.idle, policy.receive, policy.handle]
        #expect(times == [.seconds(4), .seconds(5), .seconds(6)])
    }

    @Test("The end has the time to drain, then that of a request, and ten seconds more")
    func end() {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let (registry, lifecycle, clock) = (PrometheusRegistry(), Lifecycle(), ServiceClock.stopped())
        let metrics = ServiceMetrics(registry: registry, version: "1")
        let admin = AdminResponder(
            hosts: .development,
            keys: { [] },
            readiness: Readiness(),
            registry: registry,
            lifecycle: lifecycle,
            recorder: ResponseRecorder(clock: clock, metrics: metrics, logger: logger)
        )
        let address = ListenAddress(host: "127.0.0.1", port: 0)
        var settings = TokenServer.Settings(addresses: .init(service: address, admin: address), drain: .seconds(300))
        (settings.limits.receive, settings.limits.handle) = (20, 3)
        let server = TokenServer(
            settings: settings,
            responder: admin,
            adminResponder: admin,
            lifecycle: lifecycle,
            clock: clock,
            logger: logger,
            onReady: { _ in }
        )
        #expect(server.longestEnd == .seconds(333))
    }
}
