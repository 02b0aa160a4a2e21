import FleetToken
import HTTPTypes
import JOSE
import Logging
import ServiceSupport
import StrictCoding
import TestSupport
import TestTime
import TestTraits
import Testing
import TokenMinting

@testable import TokenIssuance

/// If any step on the way to a token fails, there is no token, and the trail says so.
@Suite(.watchdog)
struct IssuanceFailureTests {
    private struct FailingSigner: TokenSigner {
        let issuer: String
        let publicKeys: [JWK] = []
        func sign(payload: [UInt8], for caller: String?) throws -> SignedToken {
            throw TokenError(.signerUnavailable, "Down.")
        }
    }

    /// Signs something else than what it is asked to.
    private struct LyingSigner: TokenSigner {
        let signer: LocalSigner
        var issuer: String { signer.issuer }
        var publicKeys: [JWK] { signer.publicKeys }
        func sign(payload: [UInt8], for caller: String?) throws -> SignedToken {
            try signer.sign(payload: Array(#"{"sub":"*"}"#.utf8))
        }
    }

    /// Signs, and meanwhile the clock is set.
    private struct SettingSigner: TokenSigner {
        let signer: LocalSigner
        let set: @Sendable () -> Void
        var issuer: String { signer.issuer }
        var publicKeys: [JWK] { signer.publicKeys }
        func sign(payload: [UInt8], for caller: String?) throws -> SignedToken {
            set()
            return try signer.sign(payload: payload)
        }
    }

    private struct QueuedSigner: TokenSigner {
        let signer: any TokenSigner
        let admission: Admission
        let limits: AdmissionLimits
        var issuer: String { signer.issuer }
        var publicKeys: [JWK] { signer.publicKeys }
        var isRemote: Bool { signer.isRemote }
        func sign(payload: [UInt8], for caller: String?) async throws -> SignedToken {
            try await admission.run(for: caller, within: limits) {
                try await signer.sign(payload: payload, for: caller)
            }
        }
    }

    private final class Refusing: Authenticator, Authorizer {
        let reason: TokenError.Reason

        init(reason: TokenError.Reason) { self.reason = reason }

        func caller(of call: IncomingCall, limits: CallerLimits) throws -> Caller {
            throw TokenError(reason, "No.")
        }
        func authorize(_ caller: Caller, for wanted: TokenRequest, requestID: String) throws -> String {
            throw TokenError(reason, "No.")
        }
    }

    private struct NoResponse: ScopeWebhook {
        func result(for caller: Caller, _ scope: TokenScope, requestID: String) -> WebhookResult {
            .noResponse("it is slow")
        }
    }

    private static let signer = Result {
        LocalSigner(try ServiceAccount(email: "a@b.example", keyID: "key-1", key: try RSAPrivateKey.generate()))
    }

    private let recorder = RecordedLog()
    private var log: Logger { recorder.logger }

    private func ask(
        authenticator: any Authenticator = AnonymousAuthenticator(),
        authorizer: any Authorizer = DevelopmentAuthorizer(),
        limits: CallerLimits = .none,
        signer: (any TokenSigner)? = nil,
        signatures: Int = 1,
        trail: AuditTrail? = nil,
        clock: ServiceClock = .stopped(),
        sink: MemorySink
    ) async throws -> Outcome {
        let issuance = IssuancePipeline(
            authenticator: authenticator,
            limits: limits,
            authorizer: authorizer,
            minter: ReusingMinter(
                TokenMinter(
                    signers: [
                        .driver: QueuedSigner(
                            signer: try signer ?? Self.signer.get(),
                            admission: Admission(parallel: 1, duration: 1000, clock: clock),
                            limits: AdmissionLimits(milliseconds: 1000, count: signatures)
                        )
                    ]
                ),
                seconds: 240,
                clock: clock
            ),
            audit: try trail ?? AuditTrail(sink: sink, ids: .plain),
            clock: clock,
            logger: log
        )
        return await issuance.outcome(of: UnreadRequest(kind: .driver, id: "v1"), .sample)
    }

    /// The decision and the rule of the trail's only line.
    private func record(_ sink: MemorySink) throws -> String {
        let line = try JSONParser.parseObject(try #require(sink.lines.first).dropLast())
        #expect(sink.lines.count == 1)
        #expect((line["tokenSha256"] != nil) == (line["decision"] == .string("allow")))
        return "\(line["decision"]?.stringValue ?? "") \(line["rule"]?.stringValue ?? "")"
    }

    @Test("A token is recorded before it is returned", .tags(.s3))
    func aTokenIsOnRecordBeforeItLeaves() async throws {
        let sink = MemorySink()
        let outcome = try await ask(sink: sink)
        #expect(try record(sink) == "allow development")
        #expect(outcome.token?.token.reveal().isEmpty == false)
    }

    @Test(
        "A token that the clock was set beyond while it was signed is not handed out",
        arguments: [(-7_200, false), (-61, false), (-60, true), (3_539, true), (3_540, false), (7_200, false)]
    )
    func clockIsSet(seconds: Int64, isHandedOut: Bool) async throws {
        let clock = TestClock()
        let signer = SettingSigner(signer: try Self.signer.get()) { clock.setWallClock(by: Double(seconds)) }
        let outcome = try await ask(signer: signer, clock: clock.service, sink: MemorySink())
        #expect((outcome.token != nil) == isHandedOut)
        #expect(outcome.refusal?.error.reason == (isHandedOut ? nil : .signerUnavailable))
    }

    @Test("If the record cannot be written, no token is issued", .tags(.s3))
    func withoutARecordThereIsNoToken() async throws {
        let sink = MemorySink()
        sink.fail(.max)
        #expect(try await ask(sink: sink).refusal?.error.reason == .auditUnavailable)
        #expect(sink.lines.isEmpty)
    }

    @Test func anOutageIsLoggedWhenItBeginsAndWhenItEnds() async throws {
        let sink = MemorySink()
        let trail = try AuditTrail(sink: sink, ids: .plain)
        for refused in 1...2 {
            sink.fail(refused)
            for _ in 1...refused {
                #expect(try await ask(trail: trail, sink: sink).refusal?.error.reason == .auditUnavailable)
            }
            for _ in 1...2 { #expect(try await ask(trail: trail, sink: sink).token != nil) }
        }
        #expect(recorder.lines.map(\.level) == [.error, .notice, .error, .notice])
        #expect(recorder.lines.map { $0.metadata["refused"] } == [nil, "1", nil, "2"])
        #expect(sink.lines.count == 4)
    }

    @Test("If authentication fails, no token is issued", .tags(.s3))
    func withoutACallerThereIsNoToken() async throws {
        let sink = MemorySink()
        let outcome = try await ask(authenticator: Refusing(reason: .unauthenticated), sink: sink)
        #expect(outcome.refusal?.error.reason == .unauthenticated)
        #expect(try record(sink) == "deny UNAUTHENTICATED")
    }

    @Test("If no grant allows the request, no token is issued", .tags(.s3))
    func withoutAGrantThereIsNoToken() async throws {
        let sink = MemorySink()
        let outcome = try await ask(authorizer: Refusing(reason: .idNotGranted), sink: sink)
        #expect(outcome.refusal?.error.reason == .idNotGranted)
        #expect(try record(sink) == "deny ID_NOT_GRANTED")
    }

    @Test("If the webhook does not respond, no token is issued", .tags(.s3))
    func withoutTheWebhooksWordThereIsNoToken() async throws {
        let sink = MemorySink()
        let grant = GrantConfiguration(
            name: "g",
            callers: ["anonymous"],
            kinds: [.driver],
            ids: .webhook(name: "hook")
        )
        let authorizer = GrantAuthorizer(
            grants: [grant],
            privilegedKinds: [],
            alphabet: .ascii,
            webhooks: ["hook": NoResponse()],
            logger: log
        )
        let outcome = try await ask(authorizer: authorizer, sink: sink)
        #expect(outcome.refusal?.error.reason == .authorizationUnavailable)
        #expect(try record(sink) == "error AUTHORIZATION_UNAVAILABLE")
    }

    @Test("If signing fails, no token is issued", .tags(.s3))
    func withoutASignatureThereIsNoToken() async throws {
        let sink = MemorySink()
        let outcome = try await ask(signer: FailingSigner(issuer: "a@b.example"), sink: sink)
        #expect(outcome.refusal?.error.reason == .signerUnavailable)
        #expect(try record(sink) == "error SIGNER_UNAVAILABLE")
    }

    @Test("A signed token that differs from the request is discarded", .tags(.s3))
    func aTokenThatSaysSomethingElseIsDropped() async throws {
        let sink = MemorySink()
        let signer = LyingSigner(signer: try Self.signer.get())
        let refusal = try await ask(signer: signer, sink: sink).refusal
        #expect(refusal?.cause is MintingError)
        #expect(refusal?.error.reason == .internal)
        #expect(try record(sink) == "error INTERNAL")
    }

    @Test("Over the rate limit, no token is issued", .tags(.s3))
    func overTheLimitsThereIsNoToken() async throws {
        let limiter = RateLimiter(.init(perMinute: 1, burst: 1))
        let limits = CallerLimits(callers: RateLimit(limiter), addresses: nil, clock: .stopped())
        try await limits.admit(.anonymous)
        let sink = MemorySink()
        let refusal = try await ask(limits: limits, sink: sink).refusal
        #expect(refusal?.error.reason == .rateLimited)
        #expect(refusal?.record == .counted(isLogged: false))
        // It is counted, and has no line of its own.
        #expect(sink.lines.isEmpty)
    }

    @Test("If the signing queue is full, no token is issued", .tags(.s3))
    func whereTooManySignaturesWaitThereIsNoToken() async throws {
        let sink = MemorySink()
        #expect(try await ask(signatures: 0, sink: sink).refusal?.error.reason == .overloaded)
        #expect(try record(sink) == "error OVERLOADED")
    }

    /// An overload lasts longest where each refusal takes the time of a line in the trail.
    @Test func refusalsInAnOverloadAreCounted() async throws {
        let tally = RefusalTally(clock: .stopped(at: 7))
        let limits = CallerLimits(callers: nil, addresses: nil, tally: tally, clock: .stopped())
        let sink = MemorySink()
        for number in 0..<12 {
            let refusal = try await ask(limits: limits, signatures: 0, sink: sink).refusal
            #expect(refusal?.error.reason == .overloaded)
            #expect(refusal?.record == .counted(isLogged: number < 10))
        }
        #expect(sink.lines.isEmpty)
        let origin = RefusalOrigin.caller(.anonymous, name: "anonymous", subject: "")
        let since = NumericDate(seconds: 7)
        let summary = RefusalSummary(origin: origin, reason: .overloaded, count: 12, since: since)
        #expect(tally.takeAll() == [summary])
    }
}

extension Outcome {
    /// The token, if one was issued.
    fileprivate var token: MintedToken? {
        if case .issued(let token, _) = ending { token } else { nil }
    }
}
