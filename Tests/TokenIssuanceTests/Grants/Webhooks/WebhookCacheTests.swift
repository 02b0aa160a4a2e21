import ExpiringCache
import FleetToken
import Synchronization
import TestTraits
import Testing

@testable import ServiceConfiguration
@testable import TokenIssuance

@Suite struct WebhookCacheTests {
    /// Replies one after the other, the last of them for ever.
    private static func replies(_ replies: WebhookReply?...) -> StubTransport {
        let rest = Mutex(replies)
        return StubTransport { (_: WebhookRequest) throws(WebhookFailure) in
            let reply = rest.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? nil }
            guard let reply else { throw .timedOut }
            return reply
        }
    }

    private static let allow = WebhookReply(status: 200, body: Array(#"{"allow":true}"#.utf8))
    private static let deny = WebhookReply(status: 200, body: Array(#"{"allow":false}"#.utf8))

    private static func webhook(
        _ transport: StubTransport,
        cache: Int64 = 60,
        clock: TestClock = TestClock()
    ) throws -> AuthorizationWebhook {
        let configuration = WebhookConfiguration(
            name: "w",
            url: "https://example.com",
            secretFile: "",
            cache: cache,
            claims: ["role"]
        )
        return try AuthorizationWebhook(
            configuration,
            secret: Secret("0123456789abcdef0123456789abcdef"),
            transport: transport,
            clock: clock.cacheClock
        )
    }

    @Test func asksEachTimeUnlessToldOtherwise() async throws {
        let transport = Self.replies(Self.allow)
        let webhook = try Self.webhook(transport, cache: 0)
        for _ in 0..<3 { #expect(await webhook.answer(try GrantSamples.caller(), .server, requestID: "r") == .allowed) }
        #expect(transport.requests.count == 3)
    }

    @Test func remembersAnAllowUntilItsTimeIsOver() async throws {
        let transport = Self.replies(Self.allow, Self.deny)
        let clock = TestClock()
        let webhook = try Self.webhook(transport, cache: 60, clock: clock)
        let caller = try GrantSamples.caller()
        for wait in [0, 30, 29] as [Int64] {
            clock.advance(by: wait)
            #expect(await webhook.answer(caller, try .vehicle("v1"), requestID: "r") == .allowed)
        }
        #expect(transport.requests.count == 1)
        clock.advance(by: 1)
        #expect(await webhook.answer(caller, try .vehicle("v1"), requestID: "r") == .denied)
        #expect(transport.requests.count == 2)
    }

    @Test(arguments: [(0, 60), (60, -60), (60, -3600), (0, 7200)] as [(Int64, Int64)])
    func clockThatIsSetMakesNoAllowLastLonger(passed: Int64, set: Int64) async throws {
        let transport = Self.replies(Self.allow, Self.deny)
        let clock = TestClock()
        let webhook = try Self.webhook(transport, cache: 60, clock: clock)
        let caller = try GrantSamples.caller()
        #expect(await webhook.answer(caller, .server, requestID: "r") == .allowed)
        clock.advance(by: passed)
        clock.set(by: set)
        #expect(await webhook.answer(caller, .server, requestID: "r") == .denied)
    }

    @Test func asksForNothingAhead() async throws {
        let transport = Self.replies(Self.allow)
        let clock = TestClock()
        let webhook = try Self.webhook(transport, cache: 60, clock: clock)
        let caller = try GrantSamples.caller()
        #expect(await webhook.answer(caller, .server, requestID: "r") == .allowed)
        clock.advance(by: 59)
        #expect(await webhook.answer(caller, .server, requestID: "r") == .allowed)
        // Other questions give one that was asked in the background time to arrive.
        for id in 0..<100 { _ = await webhook.answer(caller, try .vehicle("v\(id)"), requestID: "r") }
        #expect(transport.requests.count == 101)
    }

    /// Someone with as many IDs as they like fills no memory.
    @Test(.watchdog(seconds: 30))
    func remembersNoMoreThanItsCapacity() async throws {
        let transport = Self.replies(Self.allow)
        let webhook = try Self.webhook(transport)
        let caller = try GrantSamples.caller()
        let count = AuthorizationWebhook.cacheCapacity + 1000
        for _ in 0..<2 {
            for id in 0..<count { _ = await webhook.answer(caller, try .vehicle("v\(id)"), requestID: "r") }
        }
        #expect(AuthorizationWebhook.cacheCapacity == 10_000)
        #expect(transport.requests.count >= 2 * count - AuthorizationWebhook.cacheCapacity)
    }

    @Test("Neither a denial nor a failure is cached", .tags(.s7))
    func remembersNothingElse() async throws {
        let broken = WebhookReply(status: 200, body: [])
        let away = WebhookReply(status: 503, body: [])
        let transport = Self.replies(Self.deny, nil, broken, away, Self.deny, Self.allow)
        let webhook = try Self.webhook(transport)
        var answers: [WebhookAnswer] = []
        for _ in 0..<7 { answers.append(await webhook.answer(try GrantSamples.caller(), .server, requestID: "r")) }
        #expect(
            answers == [
                .denied, .noAnswer("it timed out after 1.5 seconds"), .noDecision("it is not valid JSON (at byte 0)"),
                .noAnswer("status 503"), .denied, .allowed, .allowed,
            ]
        )
        #expect(transport.requests.count == 6)
    }

    @Test func anAllowIsForTheWholeQuestion() async throws {
        let transport = Self.replies(Self.allow, Self.deny)
        let webhook = try Self.webhook(transport)
        let id = try ResourceID("v1")
        let claims = #"{"role":"driver","iat":1}"#
        let caller = try GrantSamples.caller(claims: claims)
        #expect(await webhook.answer(caller, .driver(vehicle: id), requestID: "one") == .allowed)
        let again = try GrantSamples.caller(claims: #"{"role":"driver","iat":2}"#)
        #expect(await webhook.answer(again, .driver(vehicle: id), requestID: "two") == .allowed)
        #expect(transport.requests.count == 1)

        func with(subject: String, method: Caller.Method = .jwt) -> Caller {
            Caller(method: method, name: caller.name, subject: subject, claims: caller.claims, isApp: true)
        }
        let others: [(Caller, TokenScope)] = [
            (caller, .driver(vehicle: try ResourceID("v2"))),
            (caller, .deliveryDriver(vehicle: id)),
            (caller, .trustedDeliveryDriver(vehicle: id)),
            (caller, .trustedDeliveryDriver(vehicle: id, task: id)),
            (caller, .deliveryBatch(tasks: try TaskBatch([id]))),
            (caller, .deliveryServer),
            (try GrantSamples.caller("other", claims: claims), .driver(vehicle: id)),
            (try GrantSamples.caller(claims: #"{"role":"admin"}"#), .driver(vehicle: id)),
            (try GrantSamples.caller(claims: #"{"role":["driver"]}"#), .driver(vehicle: id)),
            (with(subject: "subject-2"), .driver(vehicle: id)),
            (with(subject: "subject-1", method: .certificate), .driver(vehicle: id)),
        ]
        for (caller, scope) in others {
            #expect(await webhook.answer(caller, scope, requestID: "r") == .denied)
        }
        #expect(transport.requests.count == 1 + others.count)
    }

    @Test(.watchdog(seconds: 30))
    func sameQuestionsAtOnceAreAskedOnce() async throws {
        let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
        let (gate, opener) = AsyncStream.makeStream(of: Void.self)
        let transport = StubTransport { (_: WebhookRequest) throws(WebhookFailure) in
            arrived.yield()
            for await _ in gate {}
            return Self.allow
        }
        let webhook = try Self.webhook(transport)
        let caller = try GrantSamples.caller()
        let answers = await withTaskGroup(of: WebhookAnswer.self) { group in
            for _ in 0..<50 { group.addTask { await webhook.answer(caller, .server, requestID: "r") } }
            for await _ in arrivals { break }
            opener.finish()
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers == Array(repeating: .allowed, count: 50))
        #expect(transport.requests.count == 1)
    }
}
