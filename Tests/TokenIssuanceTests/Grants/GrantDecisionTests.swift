import FleetToken
import Testing

@testable import TokenIssuance

@Suite struct GrantDecisionTests {
    typealias Samples = GrantSamples

    @Test
    func `A decision has each grant of the caller and why it does not allow the request`() async throws {
        let admin = ClaimCondition(path: ["org", "role"], value: .string("admin"))
        let authorizer = try Samples.authorizer(
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
        let before = authorizer.explain(caller, scope)
        #expect(
            before.steps == [
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
        let after = try await authorizer.decide(caller, scope)
        #expect(after.grant == "ask-two")
        #expect(
            after.description == """
                conditions: claims.org.role does not have the required value; \
                claims: claims.fleet.vehicle is neither an ID nor a list of IDs; \
                lists: an ID matches none of the grant's IDs and patterns; \
                patterns: an ID matches none of the grant's IDs and patterns; \
                ask-one: webhook first: denied; ask-two: allows the request
                """
        )
    }

    @Test
    func `A decision explains privileges and tasks`() throws {
        let backend = try Samples.caller("backend", isAdmin: true)
        func obstacle(_ grant: GrantConfiguration, of caller: Caller, for scope: TokenScope) throws -> String {
            try Samples.authorizer(grant).explain(caller, scope).description
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
            try obstacle(all, of: try Samples.caller(), for: .server)
                == "grant: the kind gives access to everything, and the caller has no admin: true"
        )
        #expect(
            try obstacle(some, of: backend, for: .server)
                == "grant: the grant allows specific IDs, not access to everything"
        )
        #expect(
            try obstacle(all, of: backend, for: scope) == "grant: the grant allows no task in addition to the vehicle"
        )
        #expect(try obstacle(all, of: backend, for: .server) == "grant: allows the request")
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
            let authorizer = try Samples.authorizer(.sample(kinds: [.trustedDeliveryDriver], ids: ids, tasks: tasks))
            #expect(authorizer.explain(try Samples.caller(), scope).description == expected)
        }
    }

    @Test
    func `The description names neither IDs nor claims`() async throws {
        let authorizer = try Samples.authorizer(
            .sample("claims", ids: .claim(path: ["vehicle"])),
            .sample("lists", ids: try .ids("id-of-another")),
            .sample("ask", ids: .webhook(name: "hook")),
            webhooks: ["hook": StubWebhook(.noResponse("refused"))]
        )
        let caller = try Samples.caller(claims: #"{"vehicle":"value-of-claim"}"#)
        let decision = try await authorizer.decide(caller, try .vehicle("id-asked"))
        #expect(decision.denial.reason == .authorizationUnavailable)
        let text = decision.description
        #expect(text.contains("webhook hook: no response: refused") && text.contains("lists"))
        for secret in ["id-asked", "id-of-another", "value-of-claim", "subject-1"] { #expect(!text.contains(secret)) }
    }

    private func denial(_ caller: String, _ grants: [GrantConfiguration]) async throws -> GrantDecision? {
        let authorizer = GrantAuthorizer(grants: grants)
        do {
            _ = try await authorizer.authorize(try Samples.caller(caller), for: try .vehicle("v1"), in: .sample)
            return nil
        } catch let refusal as Refusal {
            return refusal.decision
        }
    }

    @Test
    func `A denial looks at none of 10,000 grants of other callers`() async throws {
        let others = (0..<10_000).map { GrantConfiguration.sample("g\($0)", callers: ["caller-\($0)"], ids: .any) }
        let other = try #require(try await denial("app", others))
        #expect(other.steps == [] && other.denial.reason == .kindNotGranted)
        #expect(other.description == "the caller has no grant for this kind")
        let known = try #require(try await denial("app", others + [.sample("own", ids: .claim(path: ["vehicle"]))]))
        #expect(known.steps.map(\.grant) == ["own"] && known.denial.reason == .idNotGranted)
    }

    @Test
    func `The description of a denial leaves out grants for other kinds`() async throws {
        let others = [GrantConfiguration.sample("trips", kinds: [.consumer], ids: .any)]
        let unknown = try #require(try await denial("app", others))
        #expect(unknown.steps.map(\.verdict) == [.denied(.kind)] && unknown.denial.reason == .kindNotGranted)
        #expect(unknown.description == "the caller has no grant for this kind")
        let known = try #require(try await denial("app", others + [.sample("own", ids: try .ids("v2"))]))
        #expect(known.description == "own: an ID matches none of the grant's IDs and patterns")
    }

    @Test
    func `The description of many grants is short`() async throws {
        let grants = (0..<1000).map { GrantConfiguration.sample("g\($0)", ids: .claim(path: ["c"])) }
        let text = try #require(try await denial("app", grants)).description
        #expect(text.contains("g0: ") && text.contains("g7: ") && text.hasSuffix("; and 992 more"))
    }

    @Test(arguments: [WebhookResult.noResponse("timed out"), .noDecision("status 404"), .overloaded])
    func `The description of many grants names the webhook that did not decide`(result: WebhookResult) {
        var decision = GrantDecision()
        for number in 0..<8 { decision.add(.denied(.everything), of: "g\(number)") }
        for number in 0..<8 { decision.add(.denied(.webhook(name: "strict", .denied)), of: "s\(number)") }
        decision.add(.denied(.webhook(name: "hook", result)), of: "ask")
        #expect(decision.description.hasPrefix("ask: webhook hook: \(result); g0: "))
        #expect(decision.description.hasSuffix("; and 9 more"))
    }
}
