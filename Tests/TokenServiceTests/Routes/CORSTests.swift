import TestSupport
import TestTools
import Testing

/// Pages elsewhere read nothing, and credentials go with no wildcard.
@Suite(DevelopmentService.Shared(), .watchdog)
struct CORSTests {
    @Test(
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

    @Test(arguments: ["authorization", "content-type", "fleet-token-reuse", "x-api-key", "traceparent", "tracestate"])
    func `A page may send each field that the service reads`(field: String) async throws {
        let asked = ["Origin: http://localhost:3000", "Access-Control-Request-Headers: \(field)"]
        let answer = try await DevelopmentService.request("OPTIONS", "/token/consumer/t", headers: asked)
        let allowed = try #require(answer["access-control-allow-headers"]).lowercased().split(separator: ", ")
        #expect(allowed.contains { $0 == field })
    }

    @Test(arguments: [
        "baggage", "sentry-trace", "b3", "x-b3-traceid", "x-datadog-trace-id", "newrelic", "x-request-id",
    ])
    func `A page may not send a field that the service ignores`(field: String) async throws {
        let asked = ["Origin: http://localhost:3000", "Access-Control-Request-Headers: \(field)"]
        let answer = try await DevelopmentService.request("OPTIONS", "/token/consumer/t", headers: asked)
        #expect(answer["access-control-allow-headers"]?.lowercased().contains(field) == false)
    }

    /// React Native's `fetch` adds it for `cache: 'no-store'`, jQuery for `cache: false`.
    @Test(arguments: ["/token/consumer/t?_=1795832451384", "/token/consumer/t?lifetimeSeconds=600&_=1", "/health?_=1"])
    func `A number against caches changes nothing`(target: String) async throws {
        #expect(try await DevelopmentService.request("GET", target).status == 200)
    }

    @Test(arguments: ["cb=1", "t=1", "_t=1", "__=1", "nocache=1", "%5F%5F=1"])
    func `Other parameters that are unknown are refused`(query: String) async throws {
        let answer = try await DevelopmentService.request("GET", "/token/consumer/t?\(query)")
        #expect(answer.status == 400)
    }

    @Test(
        arguments: [
            ("/token/consumer/t", "GET, OPTIONS"), ("/token", "POST, OPTIONS"), ("/token/server", "GET, POST, OPTIONS"),
            ("/", "GET, HEAD, OPTIONS"),
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
        let fields = "Authorization, Content-Type, Fleet-Token-Reuse, X-API-Key, traceparent, tracestate"
        #expect(answer["access-control-allow-headers"] == fields)
        let elsewhere = try await DevelopmentService.request("OPTIONS", path, headers: ["Origin: http://evil.example"])
        #expect(elsewhere["access-control-allow-methods"] == nil)
        #expect(elsewhere["allow"] == methods)
    }
}
