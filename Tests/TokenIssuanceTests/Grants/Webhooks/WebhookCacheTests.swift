import FleetToken
import ServiceSupport
import Synchronization
import TestSupport
import TestTime
import TestTraits
import Testing

@testable import ServiceConfiguration
@testable import TokenIssuance

@Suite struct WebhookCacheTests {
    /// Responses one after the other, the last of them for ever; nil for none.
    private static func responses(_ responses: OutgoingResponse?...) -> FakeHTTP {
        let rest = Mutex(responses)
        return FakeHTTP { _ in
            let response = rest.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? nil }
            guard let response else { throw OutgoingError.timedOut }
            return response
        }
    }

    private static let allow = OutgoingResponse(status: 200, body: Secret(#"{"allow":true}"#))
    private static let deny = OutgoingResponse(status: 200, body: Secret(#"{"allow":false}"#))

    private static func webhook(
        _ http: FakeHTTP,
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
            http: http,
            clock: clock.service
        )
    }

    @Test func asksEachTimeUnlessToldOtherwise() async throws {
        let http = Self.responses(Self.allow)
        let webhook = try Self.webhook(http, cache: 0)
        for _ in 0..<3 {
            #expect(await webhook.result(for: try GrantSamples.caller(), .server, requestID: "r") == .allowed)
        }
        #expect(http.requests.count == 3)
    }

    @Test func remembersAnAllowUntilItsTimeIsOver() async throws {
        let http = Self.responses(Self.allow, Self.deny)
        let clock = TestClock()
        let webhook = try Self.webhook(http, cache: 60, clock: clock)
        let caller = try GrantSamples.caller()
        for wait in [0, 30, 29] as [Double] {
            clock.advance(by: wait)
            #expect(await webhook.result(for: caller, try .vehicle("v1"), requestID: "r") == .allowed)
        }
        #expect(http.requests.count == 1)
        clock.advance(by: 1)
        #expect(await webhook.result(for: caller, try .vehicle("v1"), requestID: "r") == .denied)
        #expect(http.requests.count == 2)
    }

    @Test(arguments: [(0, 60), (60, -60), (60, -3600), (0, 7200)] as [(Double, Double)])
    func clockThatIsSetMakesNoAllowLastLonger(passed: Double, set: Double) async throws {
        let http = Self.responses(Self.allow, Self.deny)
        let clock = TestClock()
        let webhook = try Self.webhook(http, cache: 60, clock: clock)
        let caller = try GrantSamples.caller()
        #expect(await webhook.result(for: caller, .server, requestID: "r") == .allowed)
        clock.advance(by: passed)
        clock.setWallClock(by: set)
        #expect(await webhook.result(for: caller, .server, requestID: "r") == .denied)
    }

    @Test func asksForNothingAhead() async throws {
        let http = Self.responses(Self.allow)
        let clock = TestClock()
        let webhook = try Self.webhook(http, cache: 60, clock: clock)
        let caller = try GrantSamples.caller()
        #expect(await webhook.result(for: caller, .server, requestID: "r") == .allowed)
        clock.advance(by: 59)
        #expect(await webhook.result(for: caller, .server, requestID: "r") == .allowed)
        // Other questions give one that was asked in the background time to arrive.
        for id in 0..<100 { _ = await webhook.result(for: caller, try .vehicle("v\(id)"), requestID: "r") }
        #expect(http.requests.count == 101)
    }

    /// Someone with as many IDs as they like fills no memory.
    @Test(.watchdog(seconds: 30))
    func remembersNoMoreThanItsCapacity() async throws {
        let http = Self.responses(Self.allow)
        let webhook = try Self.webhook(http)
        let caller = try GrantSamples.caller()
        let count = AuthorizationWebhook.cacheCapacity + 1000
        for _ in 0..<2 {
            for id in 0..<count { _ = await webhook.result(for: caller, try .vehicle("v\(id)"), requestID: "r") }
        }
        #expect(AuthorizationWebhook.cacheCapacity == 10_000)
        #expect(http.requests.count >= 2 * count - AuthorizationWebhook.cacheCapacity)
    }

    @Test("Neither a denial nor a failure is cached", .tags(.s7))
    func remembersNothingElse() async throws {
        let broken = OutgoingResponse(status: 200)
        let away = OutgoingResponse(status: 503)
        let http = Self.responses(Self.deny, nil, broken, away, Self.deny, Self.allow)
        let webhook = try Self.webhook(http)
        var answers: [WebhookResult] = []
        for _ in 0..<7 { answers.append(await webhook.result(for: try GrantSamples.caller(), .server, requestID: "r")) }
        #expect(
            answers == [
                .denied, .noResponse("it timed out after 1.5 seconds"), .noDecision("it is not valid JSON (at byte 0)"),
                .noResponse("status 503"), .denied, .allowed, .allowed,
            ]
        )
        #expect(http.requests.count == 6)
    }

    @Test func anAllowIsForTheWholeQuestion() async throws {
        let http = Self.responses(Self.allow, Self.deny)
        let webhook = try Self.webhook(http)
        let id = try ResourceID("v1")
        let claims = #"{"role":"driver","iat":1}"#
        let caller = try GrantSamples.caller(claims: claims)
        #expect(await webhook.result(for: caller, .driver(vehicle: id), requestID: "one") == .allowed)
        let again = try GrantSamples.caller(claims: #"{"role":"driver","iat":2}"#)
        #expect(await webhook.result(for: again, .driver(vehicle: id), requestID: "two") == .allowed)
        #expect(http.requests.count == 1)

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
            #expect(await webhook.result(for: caller, scope, requestID: "r") == .denied)
        }
        #expect(http.requests.count == 1 + others.count)
    }

    @Test(.watchdog(seconds: 30))
    func sameQuestionsAtOnceAreAskedOnce() async throws {
        let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
        let (gate, opener) = AsyncStream.makeStream(of: Void.self)
        let http = FakeHTTP { _ in
            arrived.yield()
            for await _ in gate {}
            return Self.allow
        }
        let webhook = try Self.webhook(http)
        let caller = try GrantSamples.caller()
        let answers = await withTaskGroup(of: WebhookResult.self) { group in
            for _ in 0..<50 { group.addTask { await webhook.result(for: caller, .server, requestID: "r") } }
            for await _ in arrivals { break }
            opener.finish()
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers == Array(repeating: .allowed, count: 50))
        #expect(http.requests.count == 1)
    }
}
