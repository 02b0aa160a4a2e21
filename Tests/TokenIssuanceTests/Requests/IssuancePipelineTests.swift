import FleetToken
import Logging
import ServiceSupport
import Synchronization
import TestSupport
import TestTools
import Testing
import TokenMinting

@testable import TokenIssuance

/// The order of the steps to a token, and what the step that ends a request leaves behind.
@Suite(.watchdog)
struct IssuancePipelineTests {
    /// The decision and the rule of the trail's only line; nil if it has none.
    private func record(_ lines: [[UInt8]]) throws -> String? {
        #expect(lines.count <= 1)
        guard let bytes = lines.first else { return nil }
        let line = try JSONParser.parseObject(bytes.dropLast())
        #expect((line["tokenSha256"] != nil) == (line["decision"] == .string("allow")))
        return "\(line["decision"]?.stringValue ?? "") \(line["rule"]?.stringValue ?? "")"
    }

    @Test
    func `A request takes each step once, in the documented order, and its line is written first`() async throws {
        let scene = try PipelineScene()
        let outcome = try #require(try await scene.send().first)
        #expect(scene.steps == PipelineScene.Step.allCases)
        #expect(try record(scene.lines) == "allow grant")
        #expect(outcome.caller === Caller.anonymous && outcome.kind == .driver)
        guard case .issued(let token, let time, _) = outcome.ending else {
            Issue.record("\(outcome.ending)")
            return
        }
        #expect(token.scope == .driver(vehicle: try ResourceID("v1")))
        #expect(time == NumericDate(seconds: 1_800_000_000))
    }

    @Test(
        arguments: [
            (.unauthenticated, .invalidCredentials, 1, "deny INVALID_CREDENTIALS"),
            (.overAddressLimit, .rateLimited, 1, nil),
            (.overCallerLimit, .rateLimited, 2, nil),
            (.invalidRequest, .invalidBody, 3, nil),
            (.denied, .idNotGranted, 4, "deny ID_NOT_GRANTED"),
            (.notMinted, .internal, 5, "error INTERNAL"),
            (.queueFull, .overloaded, 5, nil),
            (.auditUnavailable, .auditUnavailable, 6, nil),
            (.abandoned, .clientClosedRequest, 4, nil),
        ] as [(PipelineScene.Ending, TokenError.Reason, Int, String?)]
    )
    func `If a step fails, no token is issued, and no later step is taken`(
        ending: PipelineScene.Ending,
        reason: TokenError.Reason,
        steps: Int,
        line: String?
    ) async throws {
        let scene = try PipelineScene(ending: ending)
        let outcome = try #require(try await scene.send().first)
        #expect(outcome.refusal?.error.reason == reason)
        #expect(outcome.refusal.map(PipelineScene.Ending.init) == ending)
        let all = PipelineScene.Step.allCases.prefix(steps)
        #expect(scene.steps == all + (line == nil ? [] : [.audit]))
        #expect(try record(scene.lines) == line)
        #expect((outcome.caller == nil) == (steps == 1))
        #expect(outcome.kind == .driver)
    }

    @Test(
        arguments: [(-7_200, false), (-61, false), (-60, true), (3_539, true), (3_540, false), (7_200, false)]
    )
    func `A token is issued at the time of its response, unless the clock was set beyond it while it was signed`(
        seconds: Int64,
        isIssued: Bool
    ) async throws {
        let scene = try PipelineScene()
        let clock = scene.clock
        scene.whileSigning.withLock { $0 = { clock.setWallClock(by: Double(seconds)) } }
        let outcome = try #require(try await scene.send().first)
        let refusal = outcome.refusal
        #expect((refusal == nil) == isIssued)
        if case .issued(_, let time, _) = outcome.ending {
            #expect(time == NumericDate(seconds: 1_800_000_000 + seconds))
        }
        #expect(refusal?.error.reason == (isIssued ? nil : .signerUnavailable))
        #expect(refusal?.error.retryAfter == (isIssued ? nil : 1))
    }

    @Test
    func `A token's lifetime begins after a decision that takes a while, and its line has the request's time`()
        async throws
    {
        let scene = try PipelineScene()
        let clock = scene.clock
        scene.whileAuthorizing.withLock { $0 = { clock.advance(by: 5) } }
        let outcome = try #require(try await scene.send().first)
        guard case .issued(let token, _, _) = outcome.ending else {
            Issue.record("\(outcome.ending)")
            return
        }
        #expect(token.expiresAt == NumericDate(seconds: 1_800_000_005 + 3540))
        let line = try JSONParser.parseObject(try #require(scene.lines.first).dropLast())
        #expect(line["time"] == .integer(1_800_000_000))
    }

    @Test
    func `A request whose client goes while an issuer's keys are fetched is abandoned`() async throws {
        let scene = try PipelineScene(ending: .authenticationUnavailable)
        let request = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await scene.send()
        }
        #expect(try await request.value.first?.refusal.map(PipelineScene.Ending.init) == .abandoned)
        #expect(scene.lines.isEmpty)
    }

    /// An issuer whose only grant asks a webhook, and which has no key to sign with.
    private func issuer(
        asking http: any OutgoingHTTP,
        _ sink: MemorySink,
        metrics: PrometheusMetrics = PrometheusMetrics()
    ) throws -> TokenIssuer {
        let webhook = try GrantSamples.webhook(http, metrics: metrics)
        let grant = GrantConfiguration.sample(callers: ["anonymous"], ids: .webhook(name: "w"))
        return TokenIssuer(
            authenticate: { _ in .anonymous },
            limits: .none,
            authorizer: GrantAuthorizer(grants: [grant], webhooks: ["w": webhook]),
            minter: ReusingMinter(TokenMinter(signers: [:]), clock: .stopped()),
            audit: AuditTrail(sink: sink),
            clock: .stopped()
        )
    }

    @Test(
        arguments: [
            (.noResponse("status 503", retryAfter: 30), .authorizationUnavailable, 30, "error"),
            (.noResponse("reset"), .authorizationUnavailable, 5, "error"),
            (.noDecision("status 404"), .idNotGranted, nil, "deny"), (.denied, .idNotGranted, nil, "deny"),
        ] as [(WebhookResult, TokenError.Reason, Int?, String)]
    )
    func `A webhook that is unavailable is an error, one that denies a denial, each with its line and without a token`(
        result: WebhookResult,
        reason: TokenError.Reason,
        retryAfter: Int?,
        decision: String
    ) async throws {
        let sink = MemorySink()
        let outcome = try await issuer(asking: StubWebhook(result), sink)
            .issue(RoutedRequest(kind: .driver, id: "v1"), .sample)
        let refusal = try #require(outcome.refusal)
        #expect(refusal.error.reason == reason)
        #expect(refusal.error.retryAfter == retryAfter)
        #expect(try record(sink.lines) == "\(decision) \(reason.rawValue)")
    }

    @Test
    func `A request whose client goes while a webhook decides is abandoned, and leaves neither line nor sample`()
        async throws
    {
        let (silence, continuation) = AsyncStream<Void>.makeStream()
        let http = FakeHTTP { _ in
            for await _ in silence {}
            throw CancellationError()
        }
        let (sink, prometheus) = (MemorySink(), PrometheusMetrics())
        let issuer = try issuer(asking: http, sink, metrics: prometheus)
        let request = Task { await issuer.issue(RoutedRequest(kind: .driver, id: "v1"), .sample) }
        try await until { !http.requests.isEmpty }
        request.cancel()
        #expect(await request.value.refusal.map(PipelineScene.Ending.init) == .abandoned)
        #expect(sink.lines.isEmpty)
        let page = try MetricsPage(prometheus.page())
        #expect(page.samples.allSatisfy { $0.value == 0 }, "\(page.samples)")
        continuation.finish()
    }

    @Test
    func `An outage of the audit trail is logged when it begins and when it ends, with the number of refused requests`()
        async throws
    {
        let scene = try PipelineScene()
        // The same pipeline has to see it end.
        scene.whileSigning.withLock {
            let signatures = Mutex(0)
            $0 = { [unowned scene] in
                let number = signatures.withLock { number in
                    number += 1
                    return number
                }
                scene.end(as: [1, 4, 5].contains(number) ? .auditUnavailable : nil)
            }
        }
        let outcomes = try await scene.send(7)
        #expect(outcomes.map { $0.refusal == nil } == [false, true, true, false, false, true, true])
        #expect(scene.log.lines.map(\.level) == [.error, .notice, .error, .notice])
        #expect(scene.log.lines.map { $0.metadata["refused"] } == [nil, "1", nil, "2"])
        #expect(scene.lines.count == 4)
    }
}
