import Dispatch
import TestSupport
import TestTime
import TestTraits
import Testing

@testable import ServiceConfiguration
@testable import ServiceSupport
@testable import TokenService

struct AuditInspectionTests {
    private let serving = AuditConfiguration()

    private var changed: AuditConfiguration {
        var configuration = AuditConfiguration()
        configuration.sink = .file("/new/audit")
        return configuration
    }

    @Test func onlyANewFileIsChecked() async {
        let inspection = AuditInspection(clock: .stopped(), inspect: { throw ConfigurationError("Bad: \($0).") })
        #expect(await inspection.problems(changed, since: changed) == [])
        #expect(await inspection.problems(serving, since: changed) == [])
        #expect(await inspection.problems(changed, since: serving) == ["audit: Bad: /new/audit."])
    }

    @Test(.watchdog)
    func diskThatDoesNotRespondIsAProblem() async {
        let gate = DispatchSemaphore(value: 0)
        let inspection = AuditInspection(
            clock: TestClock(skippingSleepsUnder: .infinity).service,
            inspect: { _ in gate.wait() }
        )
        let problems = await inspection.problems(changed, since: serving)
        #expect(problems.count == 1 && problems[0].contains("does not respond"))
        gate.signal()
    }

    @Test(.watchdog)
    func shutdownDoesNotWaitForIt() async {
        let gate = DispatchSemaphore(value: 0)
        let inspection = AuditInspection(clock: .stopped(), inspect: { _ in gate.wait() })
        let problems = Task { await inspection.problems(changed, since: serving) }
        problems.cancel()
        #expect(await problems.value.count == 1)
        gate.signal()
    }
}
