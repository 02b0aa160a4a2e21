import FleetToken
import TestSupport
import TestTools
import Testing

@testable import TokenService

/// What a client learns whose credentials are refused, and what the operator does.
@Suite(.watchdog)
struct RefusedCallerTests {
    private static let path = "/token/driver/v-1"
    private static let expired = "expiredkey01"

    @Test(
        arguments: [
            (nil, "UNAUTHENTICATED", "no_credentials"),
            (TestAPIKey.key(expired), "INVALID_CREDENTIALS", "expired_api_key"),
            (TestAPIKey.key.dropLast() + "a", "INVALID_CREDENTIALS", "unknown_api_key"),
            (TestAPIKey.key + "a", "INVALID_CREDENTIALS", "malformed_api_key"),
        ] as [(String?, String, String)]
    )
    func `A refused API key → a response that says what to do, a challenge, and lines that say why`(
        key: String?,
        reason: String,
        cause: String
    ) async throws {
        let lines = [TestAPIKey.line, TestAPIKey.line(Self.expired, expires: "2020-01-01T00:00:00Z")]
        let keys = Array(lines.joined(separator: "\n").utf8)
        try await RunningService.production(prepare: { try $0.write("api-keys", keys) }) { service in
            try await expectRefused(try await service.ask(Self.path, key: key), reason, cause, service)
            guard let key else { return }
            let bearer = try await service.ask(Self.path, key: nil, headers: ["Authorization: Bearer \(key)"])
            #expect(try bearer.status == 401 && bearer.reason() == reason)
        }
    }

    @Test
    func `Two credentials → 400 and a challenge, whatever they are`() async throws {
        try await RunningService.production { service in
            let response = try await service.ask(Self.path, headers: ["Authorization: Bearer \(TestAPIKey.key)"])
            #expect(try response.status == 400 && response.reason() == "MULTIPLE_CREDENTIALS")
            #expect(response["www-authenticate"] == #"Bearer realm="fleet-token", error="invalid_request""#)
        }
    }

    /// Makes the users of an issuer callers too.
    private func trustIssuer(_ site: KeySite) throws {
        let app = try site.trustIssuer()
        try site.configure { $0["callers"] = ["backend": ["apiKeys": ["file": site.path("api-keys")]], "app": app] }
    }

    @Test
    func `A token that was minted here is no credential`() async throws {
        try await RunningService.production(prepare: trustIssuer) { service in
            let token = try #require(try await service.ask(Self.path).json()["token"]?.stringValue)
            let response = try await service.ask(Self.path, key: nil, headers: ["Authorization: Bearer \(token)"])
            try await expectRefused(response, "INVALID_CREDENTIALS", "own_token", service)
        }
    }

    private func expectRefused(
        _ response: TransferResponse,
        _ reason: String,
        _ cause: String,
        _ service: RunningService
    ) async throws {
        let isInvalid = reason == "INVALID_CREDENTIALS"
        #expect(response.status == 401)
        let id = try #require(response["x-request-id"])
        let message =
            isInvalid
            ? "Authentication failed. Get new credentials, then try again."
            : "Authentication required: send a token or an API key as Authorization: Bearer."
        let body = """
            {"error":{"code":401,"status":"UNAUTHENTICATED","message":"\(message)","details":[\
            {"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"\(reason)","domain":"fleet-token",\
            "metadata":{"requestId":"\(id)"}}]}}
            """
        #expect(response.text == body)
        let challenges = response.headers.filter { $0.name == "www-authenticate" }.map(\.value)
        #expect(challenges == [#"Bearer realm="fleet-token""# + (isInvalid ? #", error="invalid_token""# : "")])
        #expect(response["content-type"] == "application/json" && response["cache-control"] == "no-store")
        try await until { service.log.lines.contains { $0.metadata["request_id"] == id } }
        #expect(service.log.lines.contains { $0.metadata["request_id"] == id && $0.metadata["reason"] == cause })
        let line = try service.audited(response)
        let decision = ["decision", "rule", "method", "caller"].map { line[$0]?.stringValue }
        #expect(decision == ["deny", reason, "none", ""] && line["tokenSha256"] == nil)
    }
}
