import TestSupport
import TestTools
import Testing

/// Published fault D8: pages elsewhere read nothing, and credentials go with no wildcard.
@Suite(DevelopmentService.Shared(), .watchdog)
struct CORSTests {
    @Test(
        .tags(.s8),
        arguments: [
            "http://localhost", "http://localhost:3000", "https://localhost:8443", "http://127.0.0.1:5173",
            "http://[::1]:80",
        ]
    )
    func `A page on this machine may read responses`(origin: String) async throws {
        let answer = try await DevelopmentService.request("GET", "/token/consumer/t", headers: ["Origin: \(origin)"])
        #expect(answer.status == 200)
        #expect(answer["access-control-allow-origin"] == origin)
        #expect(answer["access-control-allow-credentials"] == nil)
        #expect(answer["vary"] == "Origin")
        let refusal = try await DevelopmentService.request("GET", "/token/driver/", headers: ["Origin: \(origin)"])
        #expect(refusal["access-control-allow-origin"] == origin)
    }

    @Test(
        .tags(.s8),
        arguments: [
            "http://evil.example", "http://localhost.evil.example", "http://localhost:3000.evil.example", "null",
            "http://localhost@evil.example", "ftp://localhost", "http://LOCALHOST:3000/", "http://", "*",
        ]
    )
    func `A page elsewhere may not read responses`(origin: String) async throws {
        let answer = try await DevelopmentService.request("GET", "/token/consumer/t", headers: ["Origin: \(origin)"])
        #expect(answer["access-control-allow-origin"] == nil)
        #expect(answer["vary"] == "Origin")
    }

    @Test(
        arguments: [
            ("/token/consumer/t", "GET, OPTIONS"), ("/token", "POST, OPTIONS"), ("/token/server", "GET, POST, OPTIONS"),
        ]
    )
    func `A preflight request gets the allowed methods and fields`(path: String, methods: String) async throws {
        let answer = try await DevelopmentService.request(
            "OPTIONS",
            path,
            headers: ["Origin: http://localhost:3000", "Access-Control-Request-Method: GET"]
        )
        #expect(answer.status == 204)
        #expect(answer.body.isEmpty)
        #expect(answer["access-control-allow-origin"] == "http://localhost:3000")
        #expect(answer["access-control-allow-methods"] == methods)
        #expect(answer["access-control-allow-headers"] == "Authorization, Content-Type, Fleet-Token-Reuse")
        let elsewhere = try await DevelopmentService.request("OPTIONS", path, headers: ["Origin: http://evil.example"])
        #expect(elsewhere["access-control-allow-methods"] == nil)
        #expect(elsewhere["allow"] == methods)
    }
}
