import FleetToken
import TestSupport
import Testing

@testable import ServiceSupport
@testable import TokenIssuance
@testable import TokenMinting
@testable import TokenService

struct TokenRequestMetricsTests {
    private let prometheus = PrometheusMetrics()
    private let metrics: TokenRequestMetrics
    private let name = "fleet_token_requests_total"

    init() {
        metrics = TokenRequestMetrics(factory: prometheus)
        metrics.add(["app"], of: [.driver])
    }

    private func page() throws -> MetricsPage { try MetricsPage(prometheus.page()) }

    private func labels(_ result: String, _ reason: String, kind: String = "driver", caller: String) -> [String: String]
    {
        ["kind": kind, "result": result, "reason": reason, "caller": caller]
    }

    private func caller(_ name: String) -> Caller {
        Caller(method: .jwt, name: name, subject: "subject-1", claims: .init(), rateLimit: .perUser)
    }

    private func refused(_ refusal: Refusal, _ caller: Caller?, kind: TokenKind? = .driver) -> Outcome {
        Outcome(ending: .refused(refusal, isRecorded: false), caller: caller, kind: kind)
    }

    @Test
    func `Tokens of each caller and kind are counted from zero`() throws {
        let page = try page()
        #expect(page.value(name, labels("signed", "none", caller: "app")) == 0)
        #expect(page.value(name, labels("reused", "none", caller: "app")) == 0)
        #expect(page.samples.count == 2)
    }

    @Test
    func `A token is counted as signed or reused`() throws {
        let token = MintedToken(
            Secret("a token"),
            scope: .driver(vehicle: try ResourceID("vehicle-1")),
            issuedAt: NumericDate(seconds: 0),
            expiresAt: NumericDate(seconds: 3540),
            keyID: "key-1"
        )
        for isReused in [false, true, true] {
            let ending = Outcome.Ending.issued(token, at: NumericDate(seconds: 0), isReused: isReused)
            metrics.count(Outcome(ending: ending, caller: caller("app"), kind: .driver))
        }
        metrics.count(refused(.abandoned, caller("app")))
        let page = try page()
        #expect(page.value(name, labels("signed", "none", caller: "app")) == 1)
        #expect(page.value(name, labels("reused", "none", caller: "app")) == 2)
        #expect(page.value(name, labels("abandoned", "CLIENT_CLOSED_REQUEST", caller: "app")) == 1)
    }

    @Test
    func `A refusal is the caller's, the service's, or that of nobody who is known`() throws {
        var denied = GrantDecision()
        denied.add(.denied(.everything), of: "grant")
        metrics.count(refused(Refusal.denied(denied), caller("app")))
        var undecided = GrantDecision()
        undecided.add(.denied(.webhook(name: "w", .noResponse("reset"))), of: "grant")
        metrics.count(refused(Refusal.denied(undecided), caller("app")))
        metrics.count(refused(.overCallerLimit(setting: nil, retryAfter: 1), caller("app")))
        metrics.count(refused(.auditUnavailable(retryAfter: 1), caller("app")))
        metrics.count(refused(Refusal.unauthenticated(.init(.noCredentials)), nil, kind: nil))
        metrics.count(refused(Refusal.unauthenticated(.init(.expired).of("app")), nil))
        metrics.count(refused(.clockIsWrong, nil))
        metrics.count(refused(Refusal.unauthenticated(.init(.keysUnavailable, retryAfter: 1).of("app")), nil))
        let page = try page()
        for (result, reason, kind, caller) in [
            ("refused", "ID_NOT_GRANTED", "driver", "app"), ("refused", "RATE_LIMITED", "driver", "app"),
            ("failed", "AUTHORIZATION_UNAVAILABLE", "driver", "app"),
            ("failed", "AUDIT_UNAVAILABLE", "driver", "app"), ("unauthenticated", "UNAUTHENTICATED", "none", "none"),
            ("unauthenticated", "INVALID_CREDENTIALS", "driver", "app"),
            ("failed", "AUTHENTICATION_UNAVAILABLE", "driver", "app"),
            ("failed", "CLOCK_UNAVAILABLE", "driver", "none"),
        ] {
            #expect(page.value(name, labels(result, reason, kind: kind, caller: caller)) == 1, "\(reason)")
        }
    }

    @Test
    func `A caller name that is not in the configuration makes no metric series`() throws {
        for number in 0..<1000 {
            metrics.count(refused(Refusal.unauthenticated(.init(.expired).of("made-up-\(number)")), nil))
        }
        let page = try page()
        #expect(page.samples.count == 3)
        #expect(page.value(name, labels("unauthenticated", "INVALID_CREDENTIALS", caller: "none")) == 1000)
    }

    @Test
    func `256 callers have series of their own`() throws {
        for number in 0..<300 { metrics.add(["caller-\(number)"], of: [.driver]) }
        let callers = Set(try page().samples.compactMap { $0.labels["caller"] })
        #expect(callers.count == TokenRequestMetrics.maximumCallers)
    }
}
