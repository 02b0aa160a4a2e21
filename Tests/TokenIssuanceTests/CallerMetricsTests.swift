import FleetToken
import TestSupport
import TestTools
import Testing

@testable import ServiceSupport
@testable import TokenIssuance

struct CallerMetricsTests {
    private let registry = PrometheusRegistry()
    private let metrics: CallerMetrics

    private let callers = [
        CallerConfiguration(name: "app", method: .jwt(.firebase(project: "my-project")), limit: .perUser),
        CallerConfiguration(name: "backend", method: .apiKeys(file: "keys"), limit: .perClient),
    ]

    init() {
        metrics = CallerMetrics(registry: registry)
        metrics.add(callers)
    }

    private func page() throws -> ExpositionText { try ExpositionText(registry.render()) }

    @Test
    func `Authentications are counted by name, method and result`() throws {
        metrics.accepted(Caller(method: .jwt, name: "app", subject: "secret", claims: .init(), limit: .perUser))
        metrics.refused(AuthenticationFailure(.expired).of("app"))
        metrics.refused(AuthenticationFailure(.unknownAPIKey))
        metrics.refused(AuthenticationFailure(.noCredentials))
        let page = try page()
        let name = "fleet_token_authn_total"
        #expect(page.value(name, ["issuer": "app", "method": "jwt", "result": "accepted"]) == 1)
        #expect(page.value(name, ["issuer": "app", "method": "jwt", "result": "expired"]) == 1)
        #expect(page.value(name, ["issuer": "none", "method": "api_key", "result": "unknown_api_key"]) == 1)
        #expect(page.value(name, ["issuer": "none", "method": "none", "result": "no_credentials"]) == 1)
    }

    @Test(.tags(.s12))
    func `A caller name that is not in the configuration makes no metric series`() throws {
        for number in 0..<1000 { metrics.refused(AuthenticationFailure(.expired).of("made-up-\(number)")) }
        #expect(try page().metrics["fleet_token_authn_total"] == nil)
        for code in AuthenticationFailure.Code.allCases { metrics.refused(AuthenticationFailure(code).of("app")) }
        let page = try page()
        let samples = try #require(page.metrics["fleet_token_authn_total"]).samples
        #expect(samples.count == AuthenticationFailure.Code.allCases.count)
    }

    @Test
    func `Fetches of keys are counted, with the time of the last success`() throws {
        let refreshes = "fleet_token_jwks_refresh_total"
        let last = "fleet_token_jwks_last_success_timestamp_seconds"
        let metrics = KeySetMetrics(registry: registry, clock: .stopped(at: 1_800_000_000))
        let plan = try KeySetPlan(.firebase(project: "my-project"))
        metrics.add("app", plan)
        #expect(try page().value(refreshes, ["issuer": "app", "result": "failed"]) == 0)
        // A configuration that is loaded again changes nothing.
        metrics.add("app", plan)
        metrics.fetched(plan, .failed)
        #expect(try page().value(last, ["issuer": "app"]) == 0)
        metrics.fetched(plan, .fetched)
        let page = try page()
        #expect(page.value(refreshes, ["issuer": "app", "result": "failed"]) == 1)
        #expect(page.value(refreshes, ["issuer": "app", "result": "fetched"]) == 1)
        #expect(page.value(last, ["issuer": "app"]) == 1_800_000_000)
    }
}

struct LimitMetricsTests {
    @Test
    func `Requests over a limit or that may not wait are counted`() throws {
        let registry = PrometheusRegistry()
        let metrics = LimitMetrics(registry: registry)
        metrics.add(["anonymous"])
        let limits = CallerLimits(
            users: RateLimiter(.init(perMinute: 1, burst: 1)),
            addresses: RateLimiter(.init(perMinute: 1, burst: 1)),
            metrics: metrics,
            clock: .stopped()
        )
        for _ in 0..<3 { try? limits.admit(.anonymous) }
        for _ in 0..<4 {
            _ = limits.charge(AuthenticationFailure(.noCredentials), to: "192.0.2.1")
        }
        for _ in 0..<5 { metrics.refused("anonymous", .queueDelay) }
        let page = try ExpositionText(registry.render())
        #expect(page.value("fleet_token_ratelimited_total", ["scope": "caller", "caller": "anonymous"]) == 2)
        #expect(page.value("fleet_token_ratelimited_total", ["scope": "address", "caller": "none"]) == 3)
        #expect(page.value("fleet_token_refused_total", ["caller": "anonymous", "cause": "queue_delay"]) == 5)
    }
}
