import FleetToken
import JOSE
import TestSupport
import TestTools
import Testing

@testable import ServiceSupport
@testable import TokenIssuance

@Suite(.watchdog)
struct KeySetMetricsTests {
    private let scene: AuthenticationScene
    private let prometheus = PrometheusMetrics()

    init() throws {
        scene = try AuthenticationScene()
    }

    private func shown(_ caller: String) throws -> Double? {
        let name = "fleet_token_jwks_last_success_timestamp_seconds"
        return try MetricsPage(prometheus.page()).value(name, ["caller": caller])
    }

    @Test
    func `The time of the last fetch is shown for each caller of an issuer, is 0 before, and ends with the caller`()
        async throws
    {
        let metrics = KeySetMetrics(factory: prometheus)
        let jwts = scene.authenticator.jwts
        metrics.show(jwts.remoteIssuers)
        #expect(try shown("app") == 0)
        #expect(try shown("backend") == nil)
        #expect(await scene.present(try scene.token()).caller != nil)
        metrics.show(jwts.remoteIssuers)
        let fetched = Double(scene.clock.now.seconds)
        #expect(try shown("app") == fetched)
        scene.issuer.respond(with: .status(500))
        scene.clock.advance(by: 4000)
        _ = await scene.present(try scene.token(signedBy: SigningKey(id: "x", .edDSA)))
        metrics.show(jwts.remoteIssuers)
        #expect(try shown("app") == fetched)
        metrics.show([])
        #expect(try shown("app") == nil)
    }

    @Test
    func `Callers with one issuer share its keys, which are forgotten with the last authenticator`() throws {
        let shared = SharedKeySets(scene.fetching)
        let plan = KeySetPlan(.firebase(project: "my-project"))
        var keys: IssuerKeys? = shared.keys(of: plan)
        #expect(shared.keys(of: plan) === keys)
        weak let released = keys
        keys = nil
        #expect(released == nil)
    }
}
