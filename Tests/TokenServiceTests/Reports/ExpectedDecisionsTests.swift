import FleetToken
import ServiceSupport
import TestSupport
import Testing

@testable import TokenIssuance
@testable import TokenService

struct ExpectedDecisionsTests {
    private func read(_ yaml: String) throws -> ExpectedDecisions {
        let file = ConfigurationFile(yaml: Array(ConfigurationSample.yaml.utf8))
        return ExpectedDecisions(yaml: Array(yaml.utf8), configuration: try #require(file.configuration))
    }

    @Test
    func `Decisions are read with claims, IDs and outcome`() throws {
        let decisions = try read(
            """
            - {caller: app, claims: {sub: s, vehicle_id: v1, roles: [a, 1], on: {it: true}}, kind: driver, id: v1, expect: allowed}
            - caller: backend
              kind: trusted_delivery_driver
              id: v1
              taskIds: [t1]
              expect: denied
            - {caller: app, kind: delivery_server, taskIds: [t1, t2], expect: needsWebhook}
            """
        )
        #expect(decisions.problems.list == [])
        #expect(decisions.entries.map(\.expected) == [.allowed, .denied, .needsWebhook])
        #expect(decisions.entries.map(\.caller.name) == ["app", "backend", "app"])
        #expect(decisions.entries.map(\.caller.subject) == ["s", "", ""])
        #expect(decisions.entries.map(\.caller.rateLimit) == [.perUser, .perClient, .perUser])
        #expect(decisions.entries.map(\.scope.kind) == [.driver, .trustedDeliveryDriver, .deliveryServer])
        #expect(decisions.entries.map { $0.scope.ids.map(\.rawValue) } == [["v1"], ["v1", "t1"], ["t1", "t2"]])
        #expect(decisions.entries[0].caller.claims["roles"] == .array([.string("a"), .integer(1)]))
    }

    @Test(
        arguments: [
            ("", "The file is empty."),
            ("[]", "line 1: must not be empty."),
            (
                "- {caller: ghost, kind: driver, id: v, expect: denied}",
                "line 1: [0]: caller names ghost, which is not defined under callers."
            ),
            (
                "- {caller: app, kind: driver, id: v, expect: maybe}",
                "line 1: [0].expect: must be one of allowed, denied, needsWebhook."
            ),
            ("- {caller: app, kind: driver, id: v}", "line 1: [0]: requires expect."),
            (
                "- {caller: app, kind: rider, id: v, expect: denied}",
                "line 1: [0].kind: must be one of \(TokenKind.allCases.map(\.rawValue).joined(separator: ", "))."
            ),
            (
                "- {caller: app, kind: driver, id: [12], expect: denied}",
                "line 1: [0].id: must be text."
            ),
            (
                "- {caller: app, kind: driver, expect: denied}",
                "line 1: [0]: vehicleId is missing. A driver token requires one."
            ),
            (
                "- {caller: app, kind: driver, id: \"*\", expect: denied}",
                #"line 1: [0]: An ID is not valid. Use none of / : ? , # * \, no percent escapes and no invisible characters."#
            ),
            // Claims that are left out without a word would make a denial of what is allowed, and pass.
            (
                "- {caller: app, claims: text, kind: driver, id: v, expect: denied}",
                "line 1: [0].claims: must be a mapping."
            ),
            (
                "- {caller: app, claims: {a: yes}, kind: driver, id: v, expect: denied}",
                "line 1: [0].claims.a: must be text, an integer, true or false; quote anything else."
            ),
            (
                "- {caller: app, claims: {a: [~]}, kind: driver, id: v, expect: denied}",
                "line 1: [0].claims.a[0]: must be text, an integer, true or false; quote anything else."
            ),
        ]
    )
    func `A mistake is named with its line and setting`(yaml: String, problem: String) throws {
        let decisions = try read(yaml)
        #expect(decisions.problems.list.map(\.description) == [problem])
    }
}
