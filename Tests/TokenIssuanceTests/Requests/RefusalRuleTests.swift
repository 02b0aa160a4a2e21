import FleetToken
import ServiceSupport
import TestTools
import Testing

@testable import TokenIssuance
@testable import TokenMinting

/// The table of refusals: what is charged, recorded and logged is what each row says.
@Suite(.watchdog)
struct RefusalRuleTests {
    @Test(arguments: RefusalRule.allCases)
    func `A refusal is charged, recorded and counted as its row says`(rule: RefusalRule) async throws {
        let scene = try PipelineScene(ending: rule)
        let before = rule == .overAddressLimit ? 0 : 100
        let refusal = try #require(try await scene.send().first?.refusal)
        #expect(refusal.rule == rule)
        #expect(refusal.isRecorded == (rule.lines != .none))
        #expect(scene.lines.count == (rule.isAudited ? 1 : 0))
        #expect(scene.left == before - (rule.chargesAddress ? 1 : 0))
    }

    @Test(arguments: RefusalRule.allCases.filter { $0.lines == .shared })
    func `Past the lines that unauthenticated clients share, a refusal is charged and leaves no line`(
        rule: RefusalRule
    ) async throws {
        let scene = try PipelineScene(ending: rule, isPastSharedLines: true)
        let outcome = try #require(try await scene.send().first)
        let refusal = try #require(outcome.refusal)
        #expect(refusal.rule == rule)
        #expect(!refusal.isRecorded)
        #expect(scene.lines.isEmpty)
        #expect(scene.steps == (rule == .noTokenRequest ? [] : [.authenticate]))
        #expect(outcome.caller == nil)
        #expect(scene.left == 100 - (rule.chargesAddress ? 1 : 0))
    }

    @Test(arguments: RefusalRule.allCases.filter { $0.lines == .limited })
    func `Past a limit the access log has few lines`(rule: RefusalRule) async throws {
        let scene = try PipelineScene(ending: rule)
        let isLogged = try await scene.send(12).map { $0.refusal?.isRecorded }
        #expect(isLogged == Array(repeating: true, count: 10) + [false, false])
    }

    @Test(
        arguments: [
            .permanent("The role is missing."), .temporary("The quota is exhausted.", after: .seconds(7)),
        ] as [IAMError]
    )
    func `A failure of Google's is 503 to callers, and its reason is for the log`(error: IAMError) {
        let refusal = Refusal(notMinted: error)
        #expect(refusal.error.reason == .signerUnavailable && refusal.error.retryAfter == error.retrySeconds)
        #expect(!refusal.error.message.contains(error.description))
        #expect(refusal.cause as? IAMError == error)
    }

    @Test
    func `An error that is not for callers is INTERNAL to them, and its text is for the log`() {
        let refusal = Refusal(noTokenRequest: OperatorError("driver.json cannot be read."))
        let text = "Internal error. Retry later; if the error persists, contact the operator."
        #expect(refusal.error == TokenError(.internal, text))
        #expect(refusal.cause is OperatorError)
    }
}
