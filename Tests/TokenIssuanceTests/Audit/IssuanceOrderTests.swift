import ExpiringCache
import FleetToken
import HTTPTypes
import JOSE
import ServiceSupport
import Synchronization
import TestSupport
import TestTraits
import Testing
import Timing
import TokenMinting

@testable import TokenIssuance

/// The order of the steps to a token, and what the step that ends a request leaves behind.
@Suite(.watchdog)
struct IssuanceOrderTests {
    /// A step of the pipeline.
    enum Step: CaseIterable, Sendable { case authenticate, admit, read, authorize, mint, record }

    /// Notes the steps that a request takes; one of them may fail.
    private final class Steps: Authenticator, Authorizer, AuditSink, Sendable {
        private let taken = Mutex<[Step]>([])
        private let failing: Step?

        init(failing: Step?) { self.failing = failing }

        var all: [Step] { taken.withLock { $0 } }

        func take(_ step: Step) throws {
            taken.withLock { $0.append(step) }
            if step == failing { throw TokenError(.idNotGranted, "No.") }
        }

        func caller(of call: IncomingCall, limits: CallerLimits) throws -> Caller {
            try take(.authenticate)
            return .anonymous
        }

        func authorize(_ caller: Caller, for request: TokenRequest, requestID: String) throws -> String {
            try take(.authorize)
            return "grant"
        }

        func lastLine() -> [UInt8]? { nil }
        func write(_: [UInt8], lines: Int) throws { try take(.record) }
        func check() {}
    }

    private struct NotingSigner: TokenSigner {
        let signer: any TokenSigner
        let steps: Steps
        var issuer: String { signer.issuer }
        var publicKeys: [JWK] { signer.publicKeys }
        var isRemote: Bool { signer.isRemote }

        func sign(payload: [UInt8], for caller: String?) async throws -> SignedToken {
            try steps.take(.mint)
            return try await signer.sign(payload: payload, for: caller)
        }
    }

    private static let signer = Result {
        LocalSigner(try ServiceAccount(email: "a@b.example", keyID: "key-1", key: try RSAPrivateKey.generate()))
    }

    /// Sends a request with a body, and returns its outcome and the steps that it took.
    private func send(failing: Step? = nil) async throws -> (Outcome, [Step]) {
        let steps = Steps(failing: failing)
        let limiter = RateLimiter(.init(perMinute: 1, burst: 1))
        if failing == .admit { _ = limiter.take(Caller.anonymous.bucket, now: 0) }
        let stopped = ServiceClock.stopped()
        let noting = ServiceClock(
            cache: AgeClock(
                continuous: {
                    try? steps.take(.admit)
                    return 0
                },
                wall: stopped.cache.wall
            ),
            scheduler: stopped.scheduler,
            sleep: stopped.sleep,
            random: stopped.random
        )
        let pipeline = IssuancePipeline(
            authenticator: steps,
            limits: CallerLimits(
                callers: RateLimit(limiter),
                addresses: nil,
                clock: noting
            ),
            authorizer: steps,
            minter: ReusingMinter(
                TokenMinter(signers: [.driver: NotingSigner(signer: try Self.signer.get(), steps: steps)]),
                seconds: 240,
                clock: stopped
            ),
            audit: try AuditTrail(sink: steps, ids: .plain),
            clock: stopped
        )
        let body = failing == .read ? #"{"vehicleId":7}"# : #"{"vehicleId":"v1"}"#
        let request = UnreadRequest(kind: .driver) {
            try? steps.take(.read)
            return Array(body.utf8)
        }
        let fields: HTTPFields = [.contentType: "application/json"]
        let head = HTTPRequest(method: .post, scheme: nil, authority: nil, path: "/token/driver", headerFields: fields)
        let outcome = await pipeline.outcome(of: request, IncomingCall(head, at: 0, from: "192.0.2.1"))
        return (outcome, steps.all)
    }

    @Test(
        "A request takes each step once, in the documented order, and the record is written before the token is issued"
    )
    func order() async throws {
        let (outcome, steps) = try await send()
        #expect(steps == Step.allCases)
        #expect(outcome.caller == .anonymous)
        #expect(outcome.kind == .driver)
        guard case .issued(let token, let time) = outcome.ending else {
            Issue.record("\(outcome.ending)")
            return
        }
        #expect(token.scope == .driver(vehicle: try ResourceID("v1")))
        #expect(time == NumericDate(seconds: 1_800_000_000))
    }

    @Test(
        "A step that fails ends the request with its error, and only decisions are recorded",
        arguments: [
            (.authenticate, .idNotGranted, .audited, [.authenticate, .record]),
            (.admit, .rateLimited, .counted(isLogged: false), [.authenticate, .admit]),
            (.read, .invalidBody, .logged, [.authenticate, .admit, .read]),
            (.authorize, .idNotGranted, .audited, [.authenticate, .admit, .read, .authorize, .record]),
            (.mint, .idNotGranted, .audited, Step.allCases),
            (.record, .auditUnavailable, .logged, Step.allCases),
        ] as [(Step, TokenError.Reason, Refusal.Record, [Step])]
    )
    func failure(of step: Step, reason: TokenError.Reason, record: Refusal.Record, steps: [Step]) async throws {
        let (outcome, taken) = try await send(failing: step)
        #expect(outcome.refusal?.error.reason == reason)
        #expect(outcome.refusal?.record == record)
        #expect(taken == steps)
        #expect((outcome.caller == nil) == (step == .authenticate))
        #expect(outcome.kind == .driver)
    }
}
