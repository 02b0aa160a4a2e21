import FleetToken
import ServiceSupport
import TestTools
import Testing

@testable import TokenIssuance
@testable import TokenMinting

/// What is charged, recorded and logged is what the refusal says.
@Suite(.watchdog)
struct RefusalConsequencesTests {
    private typealias Ending = PipelineScene.Ending

    @Test(arguments: PipelineScene.Ending.allCases)
    func `A refusal is charged, recorded and counted as it says`(ending: PipelineScene.Ending) async throws {
        let scene = try PipelineScene(ending: ending)
        let before = ending == .overAddressLimit ? 0 : 100
        let outcome = try #require(try await scene.send().first)
        let refusal = try #require(outcome.refusal)
        let consequences = refusal.consequences
        #expect(Ending(refusal) == ending)
        #expect(outcome.isRecorded == (consequences.lines != .none))
        #expect(scene.lines.count == (consequences.isAudited ? 1 : 0))
        #expect(scene.left == before - (consequences.chargesAddress ? 1 : 0))
    }

    @Test(arguments: [.noTokenRequest, .unauthenticated, .authenticationUnavailable] as [PipelineScene.Ending])
    func `Past the lines that unauthenticated clients share, a refusal is charged and leaves no line`(
        ending: PipelineScene.Ending
    ) async throws {
        let scene = try PipelineScene(ending: ending, isPastSharedLines: true)
        let outcome = try #require(try await scene.send().first)
        let refusal = try #require(outcome.refusal)
        #expect(Ending(refusal) == ending)
        #expect(refusal.consequences.lines == .shared)
        #expect(!outcome.isRecorded)
        #expect(scene.lines.isEmpty)
        #expect(scene.steps == (ending == .noTokenRequest ? [] : [.authenticate]))
        #expect(outcome.caller == nil)
        #expect(scene.left == 100 - (refusal.consequences.chargesAddress ? 1 : 0))
    }

    @Test(arguments: [.overAddressLimit, .overCallerLimit, .queueFull] as [PipelineScene.Ending])
    func `Past a limit the access log has few lines`(ending: PipelineScene.Ending) async throws {
        let scene = try PipelineScene(ending: ending)
        let outcomes = try await scene.send(12)
        #expect(outcomes.allSatisfy { $0.refusal?.consequences.lines == .limited })
        #expect(outcomes.map(\.isRecorded) == Array(repeating: true, count: 10) + [false, false])
    }

    @Test(
        arguments: [
            .permanent("The role is missing."), .temporary("The quota is exhausted.", after: .seconds(7)),
        ] as [IAMError]
    )
    func `A failure of Google's is 503 to callers, and its reason is for the log`(error: IAMError) {
        let refusal = Refusal.notMinted(error)
        #expect(refusal.error.reason == .signerUnavailable && refusal.error.retryAfter == error.retrySeconds)
        #expect(!refusal.error.message.contains(error.description))
        #expect(refusal.cause as? IAMError == error)
    }

    @Test
    func `An error that is not for callers is INTERNAL to them, and its text is for the log`() {
        let refusal = Refusal.noTokenRequest(OperatorError("driver.json cannot be read."))
        let text = "Internal error. Retry later; if the error persists, contact the operator."
        #expect(refusal.error == TokenError(.internal, text))
        #expect(refusal.cause is OperatorError)
    }
}

extension Outcome {
    /// Whether the access log may have a line of a refusal.
    fileprivate var isRecorded: Bool { if case .refused(_, true) = ending { true } else { false } }
}
