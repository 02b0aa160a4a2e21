import TestSupport
import TestTraits
import Testing

/// The admin listener serves operators' tools, and tokens to nobody.
@Suite(.watchdog)
struct AdminTests {
    @Test(arguments: [
        ("/livez", 200), ("/readyz", 200), ("/.well-known/jwks.json", 200), ("/token/consumer/t", 404), ("/", 404),
    ])
    func pathIsAnswered(path: String, status: Int) async throws {
        let answer = try await DevelopmentService.run { _, admin in
            try await HTTPExchange.request("GET", path, port: admin)
        }
        #expect(answer.status == status)
        #expect(answer["cache-control"] == "no-store")
    }

    @Test
    func metricsTellItsRoutesApart() async throws {
        let page = try await DevelopmentService.run { _, admin in
            for path in ["/livez", "/readyz?verbose", "/metrics", "/nowhere"] {
                _ = try await HTTPExchange.request("GET", path, port: admin)
            }
            return try await HTTPExchange.request("GET", "/metrics", port: admin).body
        }
        let text = String(decoding: page, as: UTF8.self)
        for (route, status) in [("/livez", 200), ("/readyz", 200), ("/metrics", 200), ("_OTHER", 404)] {
            let labels = #"method="GET",route="\#(route)",status="\#(status)""#
            #expect(text.contains("fleet_token_http_requests_total{\(labels)} 1\n"))
        }
    }

    @Test(arguments: ["/livez", "/readyz", "/metrics"])
    func healthIsNotOnThePublicListener(path: String) async throws {
        let answer = try await DevelopmentService.request("GET", path)
        #expect(answer.status == 404)
    }

    @Test
    func otherMethodGetsTheAllowedOnes() async throws {
        let answer = try await DevelopmentService.run { _, admin in
            try await HTTPExchange.request("POST", "/livez", port: admin)
        }
        #expect(answer.status == 405)
        #expect(answer["allow"] == "GET, HEAD")
    }
}
