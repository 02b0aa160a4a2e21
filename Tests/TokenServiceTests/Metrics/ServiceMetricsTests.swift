import FleetToken
import TestSupport
import TestTools
import Testing
import TokenMinting

@testable import ServiceSupport
@testable import TokenIssuance
@testable import TokenService

struct ServiceMetricsTests {
    private let metrics = ServiceMetrics()
    private let now = NumericDate(seconds: 1_800_000_000)

    private func page() throws -> ExpositionText { try ExpositionText(metrics.registry.render()) }

    @Test
    func `Each metric counts under its name and labels`() throws {
        metrics.requests[.tokenByID, .get, StatusLabel(status: 200)].increment()
        metrics.requestDuration[.tokenByID].record(.seconds(0.25))
        metrics.issuance.minted[.driver, .reused].increment()
        metrics.issuance.denied[.kind(.driver), RefusalReasonLabel(.idNotGranted)].increment()
        metrics.issuance.denied[.unknown, RefusalReasonLabel(.unknownKind)].increment()
        metrics.issuance.mintDuration[.driver, .signed].record(.seconds(0.5))
        metrics.issuance.signing.durations[.iam, .failed].record(.seconds(2))

        let page = try page()
        let route = "/token/{kind}/{id}"
        #expect(
            page.value("fleet_token_http_requests_total", ["route": route, "method": "GET", "status": "200"]) == 1
        )
        #expect(page.value("fleet_token_http_request_duration_seconds_sum", ["route": route]) == 0.25)
        #expect(page.value("fleet_token_minted_total", ["kind": "driver", "result": "reused"]) == 1)
        #expect(page.value("fleet_token_denied_total", ["kind": "driver", "reason": "ID_NOT_GRANTED"]) == 1)
        #expect(page.value("fleet_token_denied_total", ["kind": "unknown", "reason": "UNKNOWN_KIND"]) == 1)
        #expect(page.value("fleet_token_mint_duration_seconds_sum", ["kind": "driver", "result": "signed"]) == 0.5)
        #expect(page.value("fleet_token_sign_duration_seconds_sum", ["signer": "iam", "result": "failed"]) == 2)
        #expect(page.value("fleet_token_build_info", ["version": ProductVersion.current]) == 1)
        #expect(page.metrics.values.allSatisfy { !$0.help.isEmpty })
    }

    @Test
    func `The counter of tokens starts at zero for each kind and result`() throws {
        let samples = try #require(try page().metrics["fleet_token_minted_total"]).samples
        #expect(samples.count == TokenKind.allCases.count * MintResultLabel.allCases.count)
        #expect(samples.allSatisfy { $0.value == 0 })
    }

    /// What callers send changes no number of time series and stands in no label.
    @Test(.tags(.s12))
    func `Random input leaves the number of metric series constant`() throws {
        var random = SeededGenerator(seed: 12)
        func count(_ rounds: Int, id: (Int) -> String) {
            for round in 0..<rounds {
                let text = id(round)
                let route = RouteLabel(rawValue: "/token/driver/\(text)") ?? .other
                let status = StatusLabel(status: Int.random(in: -10...1_000, using: &random))
                metrics.requests[route, MethodLabel(method: text), status].increment()
                metrics.requestDuration[route].record(
                    .nanoseconds(Int64.random(in: Int64.min...Int64.max, using: &random))
                )
                let kind = TokenKind(name: text).map(RequestedKindLabel.kind) ?? .unknown
                metrics.issuance.denied[kind, RefusalReasonLabel(.invalidID)].increment()
            }
        }
        count(20_000) { "first-\($0)" }
        let before = try page().samples.count
        count(20_000) { "second-\($0)" }
        let page = try page()
        #expect(page.samples.count == before)
        let values = page.samples.flatMap(\.labels.values)
        #expect(!values.contains { $0.contains("first-") || $0.contains("second-") })
    }

    @Test(
        arguments: [
            ("GET", MethodLabel.get), ("HEAD", .head), ("POST", .post), ("OPTIONS", .options), ("get", .other),
            ("DELETE", .other), ("_OTHER", .other), ("", .other), ("GET\u{301}", .other),
        ]
    )
    func `A method without a route is _OTHER`(name: String, label: MethodLabel) {
        #expect(MethodLabel(method: name) == label)
    }

    @Test(
        arguments: [(200, "200"), (503, "503"), (0, "_OTHER"), (-1, "_OTHER"), (299, "_OTHER"), (Int.max, "_OTHER")]
    )
    func `A status that is not sent is _OTHER`(code: Int, value: String) {
        #expect(StatusLabel(status: code).labelValue == value)
    }

    @Test(
        arguments: TokenError.Reason.all.filter { ![.requestTimeout, .unsupportedCoding].contains($0) }
    )
    func `The status of each error is a label, but for those of requests that the server refuses`(
        reason: TokenError.Reason
    ) {
        #expect(StatusLabel(status: reason.code).labelValue == String(reason.code))
    }

    private func signer(_ keyID: String) throws -> LocalSigner {
        let account = try ServiceAccount(json: try KeySite.account(keyID))
        return LocalSigner(account)
    }

    private func series() throws -> [[String: String]] {
        let samples = try ExpositionText(metrics.registry.render()).metrics["fleet_token_key_info"]?.samples ?? []
        #expect(samples.allSatisfy { $0.value == 1 })
        return samples.map(\.labels).sorted { ($0["kid"] ?? "") < ($1["kid"] ?? "") }
    }

    @Test
    func `The metric has the keys that sign and no others`() throws {
        #expect(try series() == [])
        metrics.keys.show([.driver: try signer("a"), .consumer: try signer("b")])
        #expect(try series() == [["kind": "driver", "kid": "a"], ["kind": "consumer", "kid": "b"]])
        metrics.keys.show([.consumer: try signer("c")])
        #expect(try series() == [["kind": "consumer", "kid": "c"]])
    }

    @Test
    func `Another signing key is logged once`() throws {
        let recorder = RecordedLog()
        for key in ["a", "a", "b", "b"] { metrics.keys.show([.driver: try signer(key)], logger: recorder.logger) }
        let keys = recorder.lines.map { $0.metadata["kid"] }
        // The first is no change.
        #expect(keys == ["b"])
    }
}
