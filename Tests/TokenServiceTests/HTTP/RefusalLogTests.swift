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
    private static func denied() -> GrantDecision {
        var decision = GrantDecision()
        decision.add(.denied(.everything), of: "own")
        return decision
    }

    static let refusals = [
        Refusal(unauthenticated: AuthenticationFailure(.expired).of("app")),
        Refusal(unauthenticated: AuthenticationFailure(.keysUnavailable, retryAfter: 1).of("app")),
        Refusal(denied: denied()), .clockIsWrong, .clockChanged,
        Refusal(queueFull: GateRefusal(retryAfter: 1)),
        Refusal(notMinted: IAMError.permanent("Google returned 403. Let this account sign.")),
        Refusal(auditUnavailable: TokenError(.auditUnavailable, "Retry later.")),
    ]

    @Test(arguments: refusals.indices)
    func `A refusal has one line that says what to do`(index: Int) throws {
        let log = RecordedLog()
        let recorder = ResponseRecorder(clock: .stopped(), metrics: ServiceMetrics(), logger: log.logger)
        let head = HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/token/driver/vehicle-1")
        let call = IncomingCall(head, at: 0)
        let outcome = Outcome(ending: .refused(Self.refusals[index]), caller: nil, kind: .driver)
        let response = recorder.response(to: call, at: .tokenByID, outcome)
        let id = try #require(response.requestID)
        let lines = log.lines.filter { $0.level >= .info && $0.metadata["request_id"] == id }
        #expect(lines.count { $0.metadata["advice"] != nil } == 1)
        #expect(lines.allSatisfy { !$0.text.contains("vehicle-1") })
    }
}
