import TestSupport
import TestTools
import Testing

/// Only the pages of configured origins may read responses.
@Suite(.watchdog)
struct ConfiguredOriginsTests {
    private static let path = "/token/driver/v-1"

    private func allowOrigin(_ site: KeySite) throws {
        try site.configure { configuration in
            configuration["service"] = ["listen": "127.0.0.1:0", "drain": "0s", "origins": ["https://ops.example"]]
        }
    }

    @Test
    func `A configured origin → its page may read the response, and send credentials in a preflighted request`()
        async throws
    {
        try await RunningService.production(prepare: allowOrigin) { service in
            let origin = "Origin: https://ops.example"
            let response = try await service.ask(Self.path, headers: [origin])
            let allowed = response.headers.filter { $0.name == "access-control-allow-origin" }.map(\.value)
            #expect(allowed == ["https://ops.example"])
            #expect(response["vary"]?.contains("Origin") == true)
            #expect(response["access-control-allow-credentials"] == nil)
            let preflight = try await service.ask(Self.path, "OPTIONS", key: nil, headers: [origin])
            #expect(preflight.status == 204)
            #expect(preflight["access-control-allow-headers"]?.contains("Authorization") == true)
        }
    }

    @Test(
        arguments: ["https://evil.example", "https://ops.example.evil.example", "http://ops.example", "null", "*"]
    )
    func `Another origin → no field that lets its page read a response`(origin: String) async throws {
        try await RunningService.production(prepare: allowOrigin) { service in
            for (method, key) in [("GET", TestAPIKey.key), ("GET", nil), ("OPTIONS", nil)] {
                let response = try await service.ask(Self.path, method, key: key, headers: ["Origin: \(origin)"])
                #expect(!response.headers.contains { $0.name.hasPrefix("access-control-") })
            }
        }
    }
}
