import Synchronization
import TestSupport
import TestTime
import Testing

@testable import TokenService

@Suite("Whether requests may be sent here")
struct ReadinessTests {
    @Test(
        "Each check has a line, and one that is not required does not make the service unready",
        arguments: [true, false]
    )
    func report(isRequired: Bool) async {
        let checks = ([("keys", nil), ("audit", "no room")] as [(String, String?)]).map { name, problem in
            ReadinessCheck(name: name, isRequired: isRequired) { problem }
        }
        let report = await Readiness { checks }.report()
        #expect(report.isReady == !isRequired)
        let end = "readyz check \(isRequired ? "failed" : "passed")\n"
        #expect(report.text == "[+]keys ok\n[-]audit failed: no room\n\(end)")
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
}
