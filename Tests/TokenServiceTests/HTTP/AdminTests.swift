import TestSupport
import Testing

/// The admin listener serves operators' tools, and tokens to nobody.
@Suite(.timeLimit(.minutes(1)))
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
