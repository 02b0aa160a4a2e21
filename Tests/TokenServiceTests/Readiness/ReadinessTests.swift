import Testing

@testable import TokenService

struct ReadinessTests {
    @Test(
        arguments: [true, false]
    )
    func `Each check has a line, and one that is not required does not make the service unready`(isRequired: Bool) async
    {
        let checks = ([("keys", nil), ("audit", "no room")] as [(String, String?)]).map { name, problem in
            Readiness.Check(name: name, isRequired: isRequired) { problem }
        }
        let report = await Readiness(Lifecycle()) { checks }.report()
        #expect(report.state == (isRequired ? .unready : .ok))
        let end = "readyz check \(isRequired ? "failed" : "passed")\n"
        #expect(report.text == "[+]keys ok\n[-]audit failed: no room\n\(end)")
    }

    @Test(arguments: [nil, "wrong"])
    func `A note is for the operator, and only without a problem`(problem: String?) async {
        let check = Readiness.Check(name: "settings", note: "waiting") { problem }
        let report = await Readiness(Lifecycle()) { [check] }.report()
        #expect(report.text.hasPrefix(problem == nil ? "[+]settings ok, waiting\n" : "[-]settings failed: wrong\n"))
    }
}
