import FleetToken
import TestTools
import Testing

@testable import TokenIssuance

@Suite struct GrantAuthorizerTests {
    typealias Samples = GrantSamples

    @Test
    func `The name of the grant that allows is returned`() async throws {
        let authorizer = try Samples.authorizer(
            .sample("other", callers: ["backend"], ids: .any),
            .sample("two", ids: try .ids("v2")),
            .sample("one", ids: try .ids("v1")),
            .sample("late", ids: .any)
        )
        let caller = try Samples.caller()
        #expect(try await authorizer.authorize(caller, for: try .vehicle("v1"), in: .sample) == "one")
        #expect(try await authorizer.authorize(caller, for: try .vehicle("v2"), in: .sample) == "two")
        #expect(try await authorizer.authorize(caller, for: try .vehicle("v3"), in: .sample) == "late")
    }

    @Test
    func `A denial says whether the kind or the ID is not granted`() async throws {
        let admin = ClaimCondition(path: ["role"], value: .string("admin"))
        let authorizer = try Samples.authorizer(
            .sample(kinds: [.driver], ids: try .ids("v1")),
            .sample(callers: ["backend"], kinds: [.consumer], ids: .any),
            .sample(conditions: [admin], kinds: [.deliveryDriver], ids: .any)
        )
        let caller = try Samples.caller()
        #expect(try await authorizer.refusal(caller, try .vehicle("v1")) == nil)
        #expect(try await authorizer.refusal(caller, try .vehicle("v2")) == .idNotGranted)
        #expect(try await authorizer.refusal(caller, .consumer(trip: try ResourceID("v1"))) == .kindNotGranted)
        #expect(try await authorizer.refusal(caller, .deliveryDriver(vehicle: try ResourceID("v1"))) == .kindNotGranted)
        #expect(try await authorizer.refusal(try Samples.caller("backend"), try .vehicle("v1")) == .kindNotGranted)
        #expect(try await authorizer.refusal(try Samples.caller("ap"), try .vehicle("v1")) == .kindNotGranted)
    }

    @Test(
        arguments: [
            (
                .driver, .noDecision("the webhook's own words"),
                TokenError(
                    .idNotGranted,
                    "Permission denied for this ID. Request a token for an ID that is assigned to you."
                )
            ),
            (
                .driver, .noResponse("the webhook's own words"),
                TokenError(
                    .authorizationUnavailable,
                    "Authorization is temporarily unavailable. Retry later.",
                    retryAfter: 5
                )
            ),
            (
                .consumer, .denied,
                TokenError(
                    .kindNotGranted,
                    "Permission denied for this kind of token. Ask the service's operator for access."
                )
            ),
        ] as [(TokenKind, WebhookResult, TokenError)]
    )
    func `A denial names nothing of the policy`(
        kind: TokenKind,
        result: WebhookResult,
        expected: TokenError
    ) async throws {
        let secretive = ClaimCondition(path: ["clearance"], value: .string("top"))
        let authorizer = try Samples.authorizer(
            .sample("grant-name", ids: .claim(path: ["vehicle_id"])),
            .sample("grant-two", conditions: [secretive], ids: .any),
            .sample("grant-three", ids: .webhook(name: "hook-name")),
            webhooks: ["hook-name": StubWebhook(result)]
        )
        let caller = try Samples.caller(claims: #"{"vehicle_id":"v-secret","clearance":"low"}"#)
        let refusal = try await #require(throws: Refusal.self) {
            try await authorizer.authorize(
                caller,
                for: try TokenScope(kind: kind, id: "v-asked", taskIDs: []),
                in: .sample
            )
        }
        #expect(refusal.error == expected)
    }

    @Test(
        arguments: [
            (["role"], .string("driver"), #"{"role":"driver"}"#, true),
            (["role"], .string("driver"), #"{"role":["rider","driver"]}"#, true),
            (["role"], .string("driver"), #"{"role":"Driver"}"#, false),
            (["role"], .string("driver"), #"{"role":"driver "}"#, false),
            (["role"], .string("driver"), #"{"role":["rider"]}"#, false),
            (["role"], .string("driver"), #"{"role":[["driver"]]}"#, false),
            (["role"], .string("driver"), #"{"role":{"driver":"driver"}}"#, false),
            (["role"], .string("driver"), #"{"role":true}"#, false),
            (["role"], .string("driver"), #"{"role":null}"#, false),
            (["role"], .string("driver"), #"{"Role":"driver"}"#, false),
            (["role"], .string("driver"), #"{"nested":{"role":"driver"}}"#, false),
            (["role"], .string("driver"), "{}", false),
            ([], .string("driver"), #"{"":"driver"}"#, false),
            (["a", "b", "c"], .integer(1), #"{"a":{"b":{"c":1}}}"#, true),
            (["a", "b", "c"], .integer(1), #"{"a":{"b":{"c":1.0}}}"#, false),
            (["a", "b", "c"], .integer(1), #"{"a":{"b":{"c":"1"}}}"#, false),
            (["a", "b", "c"], .bool(true), #"{"a":{"b":{"c":true}}}"#, true),
            (["a", "b", "c"], .bool(true), #"{"a":{"b":{"c":"true"}}}"#, false),
            (["a", "b", "c"], .null, #"{"a":{"b":{"c":null}}}"#, true),
            (["a", "b", "c"], .null, #"{"a":{"b":{}}}"#, false),
            (["a", "b", "c"], .integer(1), #"{"a":{"b":[{"c":1}]}}"#, false),
            (["a", "b", "c"], .integer(1), #"{"a.b.c":1}"#, false),
        ] as [([String], JSONValue, String, Bool)]
    )
    func `A condition holds for the exact value, or for a list that has it; its path selects members of objects only`(
        path: [String],
        value: JSONValue,
        claims: String,
        isMet: Bool
    ) async throws {
        let condition = ClaimCondition(path: path, value: value)
        let authorizer = try Samples.authorizer(.sample(conditions: [condition], ids: .any))
        let reason = try await authorizer.refusal(try Samples.caller(claims: claims), try .vehicle("v1"))
        #expect(reason == (isMet ? nil : .kindNotGranted))
    }
}
