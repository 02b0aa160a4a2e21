import FleetToken
import Testing

@testable import TokenIssuance

@Suite struct WebhookGrantTests {
    typealias Samples = GrantSamples

    @Test(
        arguments: [
            (.allowed, nil, nil), (.denied, .idNotGranted, nil), (.noDecision("x"), .idNotGranted, nil),
            (.noResponse("x"), .authorizationUnavailable, 5),
            (.noResponse("status 503", retryAfter: 30), .authorizationUnavailable, 30),
            (.noResponse("status 429", retryAfter: 1.5), .authorizationUnavailable, 2),
            (.noResponse("status 503", retryAfter: 0), .authorizationUnavailable, 1),
        ] as [(WebhookResult, TokenError.Reason?, Int?)]
    )
    func `Only an allow of the webhook grants access; without a response the caller learns when to retry`(
        answer: WebhookResult,
        reason: TokenError.Reason?,
        seconds: Int?
    ) async throws {
        for isOneOfTwo in [false, true] {
            let authorizer = try Samples.authorizer(
                .sample("one", ids: .webhook(name: "w")),
                // Its denial is final, and hides no missing response.
                .sample("two", ids: isOneOfTwo ? .webhook(name: "no") : .list([])),
                webhooks: ["w": StubWebhook(answer), "no": StubWebhook(.denied)]
            )
            do {
                _ = try await authorizer.authorize(try Samples.caller(), for: try .vehicle("v1"), in: .sample)
                #expect(reason == nil)
            } catch let refusal as Refusal {
                #expect(refusal.error.reason == reason)
                #expect(refusal.error.retryAfter == seconds)
            }
        }
    }

    @Test
    func `A webhook with too many calls denies for now`() {
        var decision = GrantDecision()
        decision.add(.denied(.webhook(name: "w", .overloaded)), of: "grant")
        #expect(decision.denial.reason == .overloaded)
        #expect(decision.denial.retryAfter == 1)
    }

    @Test
    func `A webhook that is not configured denies`() async throws {
        let authorizer = try Samples.authorizer(
            .sample(ids: .webhook(name: "w")),
            webhooks: ["v": StubWebhook(.allowed)]
        )
        #expect(try await authorizer.refusal(try Samples.caller(), try .vehicle("v1")) == .authorizationUnavailable)
    }

    @Test
    func `A webhook whose response does not matter is not called`() async throws {
        let webhook = StubWebhook(.noResponse("status 502"))
        let authorizer = try Samples.authorizer(
            .sample("ask", ids: .webhook(name: "w")),
            .sample("list", ids: try .ids("v1")),
            .sample("driver", kinds: [.trustedDeliveryDriver], ids: .webhook(name: "w")),
            webhooks: ["w": webhook]
        )
        let caller = try Samples.caller()
        #expect(try await authorizer.authorize(caller, for: try .vehicle("v1"), in: .sample) == "list")
        #expect(try await authorizer.refusal(try Samples.caller("other"), try .vehicle("v2")) == .kindNotGranted)
        #expect(try await authorizer.refusal(caller, .consumer(trip: try ResourceID("v2"))) == .kindNotGranted)
        let task = try ResourceID("t1")
        let scope = TokenScope.trustedDeliveryDriver(vehicle: try ResourceID("v2"), task: task)
        #expect(try await authorizer.refusal(caller, scope) == .idNotGranted)
        #expect(webhook.asked.isEmpty)
    }

    @Test
    func `After the first allow no webhook is called`() async throws {
        let webhooks = ["a": StubWebhook(.noResponse("x")), "b": StubWebhook(.allowed), "c": StubWebhook(.allowed)]
        let authorizer = try Samples.authorizer(
            .sample("one", ids: .webhook(name: "a")),
            .sample("two", ids: .webhook(name: "b")),
            .sample("three", ids: .webhook(name: "c")),
            webhooks: webhooks
        )
        let scope = try TokenScope.vehicle("v1")
        #expect(try await authorizer.authorize(try Samples.caller(), for: scope, in: .sample) == "two")
        #expect(webhooks["a"]?.asked == [scope])
        #expect(webhooks["b"]?.asked == [scope])
        #expect(webhooks["c"]?.asked == [])
    }

    @Test(
        arguments: [
            (WebhookResult.allowed, WebhookResult.allowed, nil), (.allowed, .denied, TokenError.Reason.idNotGranted),
            (.denied, .allowed, .idNotGranted), (.allowed, .noResponse("x"), .authorizationUnavailable),
        ]
    )
    func `Both webhooks of a grant must allow`(
        vehicles: WebhookResult,
        tasks: WebhookResult,
        expected: TokenError.Reason?
    ) async throws {
        let authorizer = try Samples.authorizer(
            .sample(kinds: [.trustedDeliveryDriver], ids: .webhook(name: "v"), tasks: .webhook(name: "t")),
            webhooks: ["v": StubWebhook(vehicles), "t": StubWebhook(tasks)]
        )
        let scope = TokenScope.trustedDeliveryDriver(vehicle: try ResourceID("v1"), task: try ResourceID("t1"))
        #expect(try await authorizer.refusal(try Samples.caller(), scope) == expected)
    }

    @Test
    func `A webhook of both rules is called once`() async throws {
        let webhook = StubWebhook(.allowed)
        let authorizer = try Samples.authorizer(
            .sample(kinds: [.trustedDeliveryDriver], ids: .webhook(name: "w"), tasks: .webhook(name: "w")),
            webhooks: ["w": webhook]
        )
        let scope = TokenScope.trustedDeliveryDriver(vehicle: try ResourceID("v1"), task: try ResourceID("t1"))
        #expect(try await authorizer.refusal(try Samples.caller(), scope) == nil)
        #expect(webhook.asked == [scope])
    }

    @Test
    func `A webhook is called only if the other rule allows`() async throws {
        let webhook = StubWebhook(.allowed)
        let authorizer = try Samples.authorizer(
            .sample(kinds: [.trustedDeliveryDriver], ids: try .ids("v1"), tasks: .webhook(name: "w")),
            webhooks: ["w": webhook]
        )
        let task = try ResourceID("t1")
        let caller = try Samples.caller()
        let mine = TokenScope.trustedDeliveryDriver(vehicle: try ResourceID("v1"), task: task)
        let others = TokenScope.trustedDeliveryDriver(vehicle: try ResourceID("v2"), task: task)
        #expect(try await authorizer.refusal(caller, mine) == nil)
        #expect(try await authorizer.refusal(caller, others) == .idNotGranted)
        #expect(webhook.asked == [mine])
    }
}
