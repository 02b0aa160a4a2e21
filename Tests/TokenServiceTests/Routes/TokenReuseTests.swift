import FleetToken
import TestSupport
import TestTools
import Testing

@testable import TokenService

/// A caller whose token was rejected asks for a new one.
@Suite(.watchdog)
struct TokenReuseTests {
    private static let path = "/token/driver/v-1"
    private static let noReuse = "Fleet-Token-Reuse: no"

    @Test
    func `Fleet-Token-Reuse: no, by GET and by POST → a new token, which takes the old one's place`() async throws {
        try await RunningService.production { service in
            func get(_ headers: String...) async throws -> JSONValue {
                let response = try await service.ask(Self.path, headers: headers)
                return try #require(try response.json()["token"])
            }
            func post(_ headers: String...) async throws -> JSONValue {
                let response = try await service.ask(
                    "/token",
                    "POST",
                    headers: ["Content-Type: application/json"] + headers,
                    body: #"{"kind":"driver","vehicleId":"v-1"}"#
                )
                return try #require(try response.json()["token"])
            }
            let first = try await get()
            let renewed = try await get(Self.noReuse)
            #expect(renewed != first)
            #expect(try await get() == renewed)
            let last = try await post(Self.noReuse)
            #expect(last != renewed)
            #expect(try await post() == last)
            #expect(try service.audit().map { $0["reused"] } == [false, false, true, false, true].map { .bool($0) })
            let labels = ["kind": "driver", "result": "signed", "reason": "none", "caller": "backend"]
            #expect(try service.metrics().value("fleet_token_requests_total", labels) == 3)
        }
    }

    @Test(arguments: [["Fleet-Token-Reuse: yes"], [noReuse, noReuse]])
    func `Any other value → 400 for a known caller, 401 for others`(headers: [String]) async throws {
        try await RunningService.production { service in
            let known = try await service.ask(Self.path, headers: headers)
            let unknown = try await service.ask(Self.path, key: nil, headers: headers)
            #expect(known.status == 400 && unknown.status == 401)
        }
    }
}
