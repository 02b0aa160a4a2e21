import FleetToken
import Logging
import TestSupport
import Testing

@testable import TokenIssuance

@Suite struct GrantDecisionTests {
    typealias Samples = GrantSamples

    @Test
    func `A decision has each grant and why it does not allow the request`() async throws {
        let admin = ClaimCondition(path: ["org", "role"], value: .string("admin"))
        let authorizer = Samples.authorizer(
            .sample("ask-one", ids: .webhook(name: "first"), tasks: .webhook(name: "second")),
            .sample("callers", callers: ["backend"], ids: .any),
            .sample("kinds", kinds: [.consumer], ids: .any),
            .sample("conditions", conditions: [admin], ids: .any),
            .sample("claims", ids: .claim(path: ["fleet", "vehicle"])),
            .sample("lists", ids: try .ids("v2")),
            .sample("patterns", ids: .patterns([try IDPattern("van-?*"), try IDPattern("bus-*")])),
            .sample("ask-two", ids: .webhook(name: "second")),
            webhooks: ["first": StubWebhook(.denied), "second": StubWebhook(.allowed)]
        )
        let caller = try Samples.caller()
        let scope = try TokenScope.vehicle("v1")
        let id = try ResourceID("v1")
        let before = authorizer.decideWithoutWebhooks(caller, scope)
        #expect(
            before.steps == [
                .init(grant: "callers", verdict: .denied(.caller)),
                .init(grant: "kinds", verdict: .denied(.kind)),
                .init(grant: "conditions", verdict: .denied(.condition(path: ["org", "role"]))),
                .init(grant: "claims", verdict: .denied(.claim(path: ["fleet", "vehicle"]))),
                .init(grant: "lists", verdict: .denied(.id(id))),
                .init(grant: "patterns", verdict: .denied(.id(id))),
                .init(grant: "ask-one", verdict: .needsWebhook(["first"])),
                .init(grant: "ask-two", verdict: .needsWebhook(["second"])),
            ]
        )
        #expect(before.grant == nil)
        let after = await authorizer.decide(caller, scope, requestID: "request-1")
        #expect(after.grant == "ask-two")
        #expect(
            after.description == """
                callers: the grant is for other callers; kinds: the grant is for other kinds; \
                conditions: claims.org.role does not have the required value; \
                claims: claims.fleet.vehicle is neither an ID nor a list of IDs; \
                lists: the grant does not allow one of the IDs; patterns: the grant does not allow one of the IDs; \
                ask-one: webhook first: denied; ask-two: allows the request
                """
        )
    }

    @Test
    func `A decision explains privileges and tasks`() throws {
        let backend = try Samples.caller("backend", isAdmin: true)
        func obstacle(_ grant: GrantConfiguration, of caller: Caller, for scope: TokenScope) -> String {
            Samples.authorizer(grant).decideWithoutWebhooks(caller, scope).description
        }
        let all = GrantConfiguration.sample(
            callers: ["app", "backend"],
            kinds: TokenKind.allCases,
            ids: .any
        )
        var some = all
        some.ids = try .ids("v1")
        let scope = TokenScope.trustedDeliveryDriver(vehicle: try ResourceID("v1"), task: try ResourceID("t1"))
        #expect(
            obstacle(all, of: try Samples.caller(), for: .server)
                == "grant: the kind gives access to everything, and the caller has no admin: true"
        )
        #expect(
            obstacle(some, of: backend, for: .server)
                == "grant: the grant allows specific IDs, not access to everything"
        )
        #expect(obstacle(all, of: backend, for: scope) == "grant: the grant allows no task in addition to the vehicle")
        #expect(obstacle(all, of: backend, for: .server) == "grant: allows the request")
    }

    @Test
    func `A decision names the webhooks that it needs`() throws {
        let scope = TokenScope.trustedDeliveryDriver(vehicle: try ResourceID("v1"), task: try ResourceID("t1"))
        for (ids, tasks, expected) in [
            (IDRule.webhook(name: "a"), IDRule.webhook(name: "b"), "grant: needs webhook a and b"),
            (.webhook(name: "a"), .webhook(name: "a"), "grant: needs webhook a"),
            (.any, .webhook(name: "b"), "grant: needs webhook b"),
            (.webhook(name: "a"), .any, "grant: needs webhook a"),
        ] {
            let authorizer = Samples.authorizer(.sample(kinds: [.trustedDeliveryDriver], ids: ids, tasks: tasks))
            #expect(authorizer.decideWithoutWebhooks(try Samples.caller(), scope).description == expected)
        }
    }

    @Test
    func `The log names neither IDs nor claims`() async throws {
        let log = RecordedLog()
        let authorizer = Samples.authorizer(
            .sample("claims", ids: .claim(path: ["vehicle"])),
            .sample("lists", ids: try .ids("id-of-another")),
            .sample("ask", ids: .webhook(name: "hook")),
            webhooks: ["hook": StubWebhook(.noResponse("status 502"))],
            logger: log.logger
        )
        let caller = try Samples.caller(claims: #"{"vehicle":"value-of-claim"}"#)
        #expect(try await authorizer.refusal(caller, try .vehicle("id-asked")) == .authorizationUnavailable)
        let text = log.lines.map(\.text).joined(separator: "\n")
        #expect(log.lines.count == 2)
        #expect(text.contains("status 502") && text.contains("request-1") && text.contains("lists"))
        for secret in ["id-asked", "id-of-another", "value-of-claim", "subject-1"] { #expect(!text.contains(secret)) }
    }
}
