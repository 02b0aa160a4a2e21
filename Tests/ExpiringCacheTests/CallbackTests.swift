import TestTime
import TestTraits
import Testing

@testable import ExpiringCache

/// The form with a completion.
@Suite(.watchdog)
struct CallbackTests {
    @TaskLocal static var isInsideCall = false

    @Test("A completion is never called from within the call")
    func completionIsNeverCalledFromWithinTheCall() async throws {
        let harness = Harness { $0.maximumAbandonedFetches = 1 }
        try await harness.fill("hit")
        await harness.fail("refused")
        let answers = Answers<Bool>()
        Self.$isInsideCall.withValue(true) {
            for key in ["hit", "refused", "wait"] {
                harness.cache.value(for: key) { _ in answers.note(.success(Self.isInsideCall)) }
            }
            harness.cache.value(for: "cancelled") { _ in answers.note(.success(Self.isInsideCall)) }()
            harness.cache.removeAll()
        }
        for result in await answers.wait(for: 4) { #expect(try !result.get()) }
    }

    @Test("A completion gets the value or the error")
    func completionGetsTheValueOrTheError() async throws {
        let harness = Harness()
        let values = Answers<Int>()
        harness.cache.value(for: "a", completion: values.note)
        await harness.source.next().succeed(7)
        #expect(try await values.wait(for: 1)[0].get() == 7)
        harness.cache.value(for: "a", completion: values.note)
        #expect(try await values.wait(for: 2)[1].get() == 7)
        let errors = Answers<Int>()
        harness.cache.value(for: "b", completion: errors.note)
        await harness.source.next().fail()
        #expect(await errors.wait(for: 1)[0].cacheError?.code == .unavailable)
        harness.cache.value(for: "c", timeout: 1, completion: errors.note)
        harness.time.advance(by: 1)
        #expect(await errors.wait(for: 2)[1].cacheError?.code == .timedOut)
    }

    @Test("Cancelling after the result does nothing")
    func cancellingAfterTheAnswerDoesNothing() async throws {
        let harness = Harness()
        let answers = Answers<Int>()
        let request = harness.cache.value(for: "a", completion: answers.note)
        await harness.source.next().succeed(7)
        _ = await answers.wait(for: 1)
        request()
        harness.cache.value(for: "a", completion: answers.note)()
        let results = await answers.wait(for: 2)
        #expect(try results.map { try $0.get() } == [7, 7])
    }
}
