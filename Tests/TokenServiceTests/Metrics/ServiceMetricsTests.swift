import FleetToken
import Foundation
import TestSupport
import TestTools
import Testing
import TokenMinting

@testable import ServiceSupport
@testable import TokenIssuance
@testable import TokenService

struct ServiceMetricsTests {
    private let metrics = ServiceMetrics()

    private func page() throws -> MetricsPage { try MetricsPage(metrics.prometheus.page()) }

    @Test
    func `Each metric counts under its name and labels, and has a help text`() throws {
        metrics.http.count(200, at: .tokenByID, after: .seconds(0.25))
        let page = try page()
        let route = "/token/{kind}/{id}"
        let labels = ["route": route, "status": "200"]
        #expect(page.value("http_server_request_duration_seconds_count", labels) == 1)
        #expect(page.value("http_server_request_duration_seconds_sum", labels) == 0.25)
        #expect(page.value("fleet_token_build_info", ["version": ProductVersion.current]) == 1)
        let text = String(decoding: metrics.prometheus.page(), as: UTF8.self)
        #expect(text.matches(of: #/# HELP \S+ \S/#).count == text.matches(of: #/# TYPE /#).count)
    }

    @Test(.watchdog)
    func `What is no request is counted with its response`() async throws {
        let page = try await DevelopmentService.run { service, admin in
            let responses = try await HTTPExchange.send(Array("GET\r\n\r\n".utf8), to: service, count: 1)
            #expect(responses.map(\.status) == [400])
            return try await HTTPExchange.request("GET", "/metrics", port: admin)
        }
        let labels = ["route": "_OTHER", "status": "400"]
        #expect(try MetricsPage(page.body).value("http_server_request_duration_seconds_count", labels) == 1)
    }

    /// An assertion ends the process otherwise.
    @Test(.watchdog)
    func `The page is not written on an event loop`() async throws {
        let response = try await DevelopmentService.run { _, admin in
            try await HTTPExchange.request("GET", "/metrics", port: admin)
        }
        #expect(response.status == 200)
        #expect(try MetricsPage(response.body).value("fleet_token_ready") == 1)
    }

    @Test
    func `docs/openapi.yaml describes each route`() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
        let text = try String(contentsOf: root.appendingPathComponent("docs/openapi.yaml"), encoding: .utf8)
        let described = Set(text.matches(of: /\n  (\/\S*):/).map { String($0.1) })
        let ofKinds = TokenKind.allCases.filter(\.isPrivileged).map { "/token/\($0.rawValue)" }
        let others = HTTPMetrics.RouteLabel.allCases.filter { $0 != .other && $0 != .tokenOfKind }.map(\.rawValue)
        // This kind has a parameter of its own.
        #expect(described == Set(ofKinds + others + ["/token/trusted_delivery_driver/{id}"]))
    }

    /// What callers send changes no number of time series and stands in no label.
    @Test
    func `Random input leaves the number of metric series constant`() throws {
        var random = SeededGenerator(seed: 12)
        func count(_ rounds: Int, id: (Int) -> String) {
            for round in 0..<rounds {
                let text = id(round)
                let route = HTTPMetrics.RouteLabel(rawValue: "/token/driver/\(text)") ?? .other
                let duration = Duration.nanoseconds(Int64.random(in: Int64.min...Int64.max, using: &random))
                metrics.http.count(404, at: route, after: duration)
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
            ("GET", ResponseRecorder.MethodLabel.get), ("HEAD", .head), ("POST", .post), ("OPTIONS", .options),
            ("get", .other),
            ("DELETE", .other), ("_OTHER", .other), ("", .other), ("GET\u{301}", .other),
        ]
    )
    func `A method without a route is _OTHER`(name: String, label: ResponseRecorder.MethodLabel) {
        #expect(ResponseRecorder.MethodLabel(method: name) == label)
    }

    private func signer(_ keyID: String) throws -> LocalSigner {
        let account = try ServiceAccount(json: try KeySite.account(keyID))
        return LocalSigner(account)
    }

    private func series() throws -> [[String: String]] {
        let samples = try page().samples(of: "fleet_token_key_info")
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
