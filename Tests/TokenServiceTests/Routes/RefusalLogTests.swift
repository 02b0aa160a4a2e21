import FleetToken
import HTTPTypes
import Logging
import TestSupport
import Testing

@testable import ServiceSupport
@testable import TokenIssuance
@testable import TokenMinting
@testable import TokenService

/// The ID of a refused request leads to one line of the log that says what to do.
struct RefusalLogTests {
    private static func denied(_ reason: DenialReason = .everything) -> GrantDecision {
        var decision = GrantDecision()
        decision.add(.denied(reason), of: "own")
        return decision
    }

    /// Returns the response to a refused request.
    private static func response(_ refusal: Refusal, _ logger: Logger) -> Response {
        let recorder = ResponseRecorder(clock: .stopped(), metrics: ServiceMetrics(), logger: logger)
        let head = HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/token/driver/vehicle-1")
        let outcome = Outcome(ending: .refused(refusal, isRecorded: true), caller: nil, kind: .driver)
        return recorder.response(to: IncomingCall(head, at: 0, from: "192.0.2.1"), at: .tokenByID, outcome)
    }

    static let refusals = [
        Refusal.unauthenticated(AuthenticationFailure(.expired).of("app")),
        Refusal.unauthenticated(AuthenticationFailure(.keysUnavailable, retryAfter: 1).of("app")),
        Refusal.denied(denied()), .clockIsWrong, .clockChanged,
        .queueFull(retryAfter: 1),
        Refusal.notMinted(IAMError.permanent("Google returned 403. Let this account sign.")),
        .auditUnavailable(retryAfter: 1),
    ]

    @Test(arguments: refusals.indices)
    func `A refusal has one line that says what to do`(index: Int) throws {
        let log = RecordedLog()
        let id = try #require(Self.response(Self.refusals[index], log.logger).requestID)
        let lines = log.lines.filter { $0.level >= .info && $0.metadata["request_id"] == id }
        #expect(lines.count { $0.metadata["advice"] != nil } == 1)
        #expect(lines.allSatisfy { !$0.text.contains("vehicle-1") })
    }

    @Test(
        arguments: [
            (WebhookResult.noResponse("refused"), true), (.noDecision("status 404"), true), (.denied, false),
            (.overloaded, false),
        ]
    )
    func `A webhook at fault is a warning, and its decision is not`(result: WebhookResult, isWarning: Bool) {
        let log = RecordedLog()
        var logger = log.logger
        logger.logLevel = .warning
        _ = Self.response(Refusal.denied(Self.denied(.webhook(name: "hook", result))), logger)
        #expect(log.lines.map(\.level) == (isWarning ? [.warning] : []))
    }
}
