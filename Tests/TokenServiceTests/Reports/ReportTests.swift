import FleetToken
import Testing

@testable import TokenIssuance
@testable import TokenService

struct ReportTests {
    private static let findings = [
        Finding(.ok, subject: "audit", "Fine."),
        Finding(.warn, subject: "kinds.driver.next", "Promote it.", line: 7),
        Finding(.fail, subject: "", "Not YAML."),
        Finding(.fail, subject: "grants.own", "Two\nlines \u{1B}[2J.", line: 9),
    ]

    @Test
    func `A file has problems and warnings with its name, and how many problems there are`() {
        let report = Report(Self.findings, of: "t.yaml", success: "All is well.")
        #expect(report.text(isQuiet: false) == "")
        #expect(
            report.notes(isQuiet: false) == [
                "t.yaml:7: warning: kinds.driver.next: Promote it.", "t.yaml: Not YAML.",
                #"t.yaml:9: grants.own: Two\u{a}lines \u{1b}[2J."#, "2 problems.",
            ]
        )
        #expect(report.notes(isQuiet: true) == Array(report.notes(isQuiet: false).dropFirst()))
    }

    @Test
    func `A file without a problem is one sentence, and nothing where only problems are shown`() {
        let report = Report(Array(Self.findings.prefix(2)), of: "t.yaml", success: "All is well.")
        #expect(report.text(isQuiet: false) == "All is well.\n")
        #expect(report.text(isQuiet: true) == "")
        #expect(report.notes(isQuiet: true) == [])
        #expect(report.json.objectValue?["ok"] == .bool(true))
    }

    @Test
    func `A table ends with how many findings there are of each level; only good ones are left out`() {
        let report = Report(Self.findings)
        #expect(report.notes(isQuiet: false) == [])
        #expect(
            report.text(isQuiet: false) == """
                ok    audit              Fine.
                warn  kinds.driver.next  line 7: Promote it.
                FAIL                     Not YAML.
                FAIL  grants.own         line 9: Two lines \u{1B}[2J.
                2 failed, 1 warning, 1 ok

                """
        )
        #expect(report.text(isQuiet: true).split(separator: "\n").count == 4)
    }

    @Test
    func `The JSON has all findings, and how many there are of each level`() {
        func finding(_ level: String, _ message: String, subject: JSONValue, line: JSONValue) -> JSONValue {
            JSONValue(members: [
                ("level", .string(level)), ("subject", subject), ("line", line), ("message", .string(message)),
            ])
        }
        let findings = [
            finding("ok", "Fine.", subject: .string("audit"), line: .null),
            finding("warning", "Promote it.", subject: .string("kinds.driver.next"), line: .integer(7)),
            finding("failure", "Not YAML.", subject: .null, line: .null),
            finding("failure", "Two\nlines \u{1B}[2J.", subject: .string("grants.own"), line: .integer(9)),
        ]
        #expect(
            Report(Self.findings).json
                == JSONValue(members: [
                    ("schema", .integer(1)), ("ok", .bool(false)), ("failed", .integer(2)), ("warnings", .integer(1)),
                    ("passed", .integer(1)), ("findings", .array(findings)),
                ])
        )
    }

    @Test
    func `An explanation has the outcome, and each grant with its verdict`() {
        var decision = GrantDecision()
        decision.steps = [
            .init(grant: "own", verdict: .denied(.kind)), .init(grant: "trips", verdict: .needsWebhook(["ids"])),
        ]
        #expect(decision.text == "needsWebhook\n  own: \(DenialReason.kind)\n  trips: needs webhook ids\n")
        #expect(decision.json.objectValue?["outcome"] == .string("needsWebhook"))
        #expect(decision.json.objectValue?["grant"] == .null)
        decision.steps.append(.init(grant: "all", verdict: .allowed))
        let verdicts = decision.json.objectValue?["grants"]?.arrayValue?.map { $0.objectValue?["verdict"] }
        #expect(verdicts == [.string("denied"), .string("needsWebhook"), .string("allowed")])
        #expect(decision.json.objectValue?["grant"] == .string("all"))
        #expect(decision.outcome == .allowed)
    }
}
