import FleetToken
import StrictCoding
import Testing

@testable import ServiceConfiguration
@testable import ServiceTools
@testable import TokenIssuance

@Suite("What a command found, as text and as JSON")
struct ReportTests {
    private static let findings = [
        Finding(.ok, subject: "audit", "Fine."),
        Finding(.warn, subject: "kinds.driver.next", "Promote it.", line: 7),
        Finding(.fail, subject: "", "Not YAML."),
        Finding(.fail, subject: "grants.own", "Two\nlines \u{1B}[2J.", line: 9),
    ]

    private static func list(_ findings: [Finding]) -> Report {
        Report(findings, as: .list(file: "t.yaml", detail: ("decisions", .integer(4)), success: "All is well."))
    }

    @Test("A list has problems and warnings with the file's name, and how many problems there are")
    func list() throws {
        let report = Self.list(Self.findings)
        #expect(report.text(isQuiet: false) == "")
        #expect(
            report.notes(isQuiet: false) == [
                "t.yaml: warning: line 7: kinds.driver.next: Promote it.", "t.yaml: Not YAML.",
                #"t.yaml: line 9: grants.own: Two\u{a}lines \u{1b}[2J."#, "2 problems.",
            ]
        )
        #expect(report.notes(isQuiet: true) == Array(report.notes(isQuiet: false).dropFirst()))
        #expect(
            report.json
                == JSONValue(members: [
                    ("schema", .integer(1)), ("ok", .bool(false)), ("decisions", .integer(4)),
                    (
                        "problems",
                        .array([
                            JSONValue(members: [
                                ("setting", .null), ("line", .null), ("message", .string("Not YAML.")),
                            ]),
                            JSONValue(members: [
                                ("setting", .string("grants.own")), ("line", .integer(9)),
                                ("message", .string("Two\nlines \u{1B}[2J.")),
                            ]),
                        ])
                    ),
                    (
                        "warnings",
                        .array([
                            JSONValue(members: [
                                ("setting", .string("kinds.driver.next")), ("line", .integer(7)),
                                ("message", .string("Promote it.")),
                            ])
                        ])
                    ),
                ])
        )
    }

    @Test("A list without a problem is one sentence, and nothing where only problems are shown")
    func success() {
        let report = Self.list(Array(Self.findings.prefix(2)))
        #expect(report.text(isQuiet: false) == "All is well.\n")
        #expect(report.text(isQuiet: true) == "")
        #expect(report.notes(isQuiet: true) == [])
        #expect(report.json.objectValue?["ok"] == .bool(true))
    }

    @Test("A table ends with how many findings there are of each level; only good ones are left out")
    func table() {
        let report = Report(Self.findings)
        #expect(report.notes(isQuiet: false) == [])
        let lines = report.text(isQuiet: false).split(separator: "\n")
        #expect(lines.first == "ok    audit              Fine.")
        #expect(lines.last == "2 failed, 1 warning, 1 ok")
        #expect(report.text(isQuiet: true).split(separator: "\n") == Array(lines.dropFirst()))
        let members = report.json.objectValue
        #expect(members?["failed"] == .integer(2))
        #expect(members?["warnings"] == .integer(1))
        #expect(members?["passed"] == .integer(1))
        let levels = members?["findings"]?.arrayValue?.map { $0.objectValue?["level"] }
        #expect(levels == [.string("ok"), .string("warning"), .string("failure"), .string("failure")])
        #expect(members?["findings"]?.arrayValue?.first?.objectValue?["line"] == .null)
    }

    @Test("An explanation has the outcome, and each grant with its verdict")
    func explanation() {
        var decision = GrantDecision()
        decision.steps = [
            .init(grant: "own", verdict: .denied(.kind)), .init(grant: "trips", verdict: .needsWebhook(["ids"])),
        ]
        let report = Report(decision)
        #expect(
            report.text(isQuiet: false) == "needsWebhook\n  own: \(DenialReason.kind)\n  trips: needs webhook ids\n"
        )
        #expect(report.text(isQuiet: true) == "")
        #expect(report.json.objectValue?["outcome"] == .string("needsWebhook"))
        #expect(report.json.objectValue?["grant"] == .null)
        decision.steps.append(.init(grant: "all", verdict: .allowed))
        let verdicts = Report(decision).json.objectValue?["grants"]?.arrayValue?.map { $0.objectValue?["verdict"] }
        #expect(verdicts == [.string("denied"), .string("needsWebhook"), .string("allowed")])
        #expect(Report(decision).json.objectValue?["grant"] == .string("all"))
        #expect(decision.outcome == .allowed)
    }
}
