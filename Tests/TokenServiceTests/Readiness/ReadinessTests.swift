import Synchronization
import TestSupport
import TestTime
import TestTraits
import Testing

@testable import TokenService

struct ReadinessTests {
    private func check(_ name: String, _ problem: String?, isRequired: Bool = true) -> ReadinessCheck {
        ReadinessCheck(name: name, isRequired: isRequired) { problem }
    }

    @Test("Each check has a line")
    func eachCheckHasALine() async {
        let report = await Readiness { [check("keys", nil), check("audit", "no room")] }.report()
        #expect(!report.isReady)
        #expect(report.text == "[+]keys ok\n[-]audit failed: no room\nreadyz check failed\n")
    }

    @Test("A check that is not required does not make the service unready")
    func whatIsOnlyToldDoesNotMakeItUnready() async {
        let report = await Readiness { [check("keys", nil), check("reload", "bad", isRequired: false)] }.report()
        #expect(report.isReady)
        #expect(report.text == "[+]keys ok\n[-]reload failed: bad\nreadyz check passed\n")
    }

    @Test("A recent result is used for a second, and then checked again")
    func recentResultIsUsed() async {
        let clock = TestClock()
        let isReady = Atomic(true)
        let recent = RecentReadiness(clock: clock.service) { isReady.load(ordering: .relaxed) }
        #expect(await recent.isReady)
        isReady.store(false, ordering: .relaxed)
        clock.advance(by: 0.5)
        #expect(await recent.isReady)
        clock.advance(by: 0.5)
        #expect(await !recent.isReady)
    }

    @Test("Dependencies are tried until each has responded once", .watchdog)
    func issuersAreTriedUntilAllKeysWereHadOnce() async throws {
        let missing = Warmup.Missing(["a", "b"])
        let answers = Answers([["a", "b"], ["b"], []])
        let clock = TestClock(skippingSleepsUnder: .infinity)
        let preparation = Warmup(
            clock: clock.service,
            missing: missing,
            prepare: { answers.next() }
        )
        // With nobody to shut it down it ends when it has nothing left to do.
        let run = Task { try await preparation.run() }
        while answers.count > 0 || !missing.names.isEmpty { await Task.yield() }
        #expect(clock.sleeps == [2, 2])
        run.cancel()
        _ = await run.result
    }
}

/// Answers, one after the other.
private final class Answers: Sendable {
    private let answers: Mutex<[[String]]>

    init(_ answers: [[String]]) {
        self.answers = Mutex(answers)
    }

    var count: Int { answers.withLock { $0.count } }

    func next() -> [String] {
        answers.withLock { $0.isEmpty ? [] : $0.removeFirst() }
    }
}
