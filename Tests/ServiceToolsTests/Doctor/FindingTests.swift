import FleetToken
import JOSE
import TestSupport
import TestTraits
import Testing

@testable import ServiceConfiguration
@testable import ServiceSupport
@testable import ServiceTools

/// What the doctor makes of what it sees.
@Suite(.watchdog) struct FindingTests {
    @Test func findingsAreALineEachInColumns() {
        let findings = [
            Finding(.ok, subject: "audit", "Fine."), Finding(.warn, subject: "kinds.driver", "Two\nlines\r\nand more."),
            Finding(.fail, subject: "clock", "Off."),
        ]
        #expect(
            findings.table == """
                ok    audit         Fine.
                warn  kinds.driver  Two lines and more.
                FAIL  clock         Off.

                """
        )
        #expect(findings.haveFailure)
        #expect(![Finding(.warn, subject: "clock", "Off.")].haveFailure)
        #expect([Finding]().table == "")
    }

    // MARK: Clock

    private static let now = NumericDate(seconds: 1_795_211_520)

    private func clock(_ date: String?, age: String? = nil) -> Finding {
        let check = ClockCheck(now: { Self.now })
        check.note(date, age: age, of: "https://www.example.com/x", Self.now)
        return check.finding(url: nil)
    }

    @Test(
        arguments: [
            (0, Finding.Level.ok), (1, .ok), (30, .ok), (-30, .ok), (31, .warn), (-31, .warn), (600, .warn),
            (601, .fail),
            (-601, .fail), (1_000_000_000, .fail),
        ] as [(Int64, Finding.Level)]
    )
    func theClockMayBeOffByThirtySeconds(seconds: Int64, level: Finding.Level) {
        let finding = clock(HTTPDate.text(Self.now - seconds))
        #expect(finding.level == level)
        #expect(finding.text.contains("www.example.com"))
        if seconds.magnitude > 1 {
            #expect(finding.text.contains("\(seconds.magnitude) seconds \(seconds > 0 ? "ahead" : "behind")"))
        }
    }

    @Test func anAnswerThatACacheKeptIsOlder() {
        #expect(clock(HTTPDate.text(Self.now - 3000), age: "3000").level == .ok)
    }

    @Test(arguments: [
        nil, "", "now", "Fri, 20 Nov 2026", "Fri, 31 Feb 2026 22:48:10 GMT", "Fri, 20 Nov 2026 22:48:10 UTC",
        "Fri, 20 Nov 99999999999 22:48:10 GMT", "Thu, 20 Nov 2026 22:48:10 GMT", "Fri,20 Nov 2026 22:48:10 GMT",
    ])
    func whatIsNoDateIsNotBelieved(date: String?) {
        #expect(clock(date).level == .warn)
    }

    @Test func theQuickestAnswerCounts() {
        let times = Times([0, 8, 8, 9].map { Self.now + $0 })
        let check = ClockCheck(now: { times.next() })
        let start = times.next()
        check.note(HTTPDate.text(Self.now - 300), age: nil, of: "https://slow.example/", start)
        let second = times.next()
        check.note(HTTPDate.text(Self.now + 8), age: nil, of: "https://quick.example/", second)
        #expect(
            check.finding(url: nil) == Finding(.ok, subject: "clock", "The clock agrees with that of quick.example.")
        )
    }

    // MARK: Certificates

    @Test(
        arguments: [
            (86_400 * 90, Finding.Level.ok), (86_400 * 21, .ok), (86_400 * 21 - 1, .warn), (1, .warn), (0, .fail),
            (-86_400 * 3, .fail),
        ] as [(Int64, Finding.Level)]
    )
    func aCertificateIsRenewedInTime(seconds: Int64, level: Finding.Level) {
        let finding = CertificateCheck.finding("tls.crt", expiresAt: Self.now + seconds, now: Self.now)
        #expect(finding.level == level)
        #expect(finding.text.hasPrefix("tls.crt expire"))
    }

    // MARK: Servers

    private static let issuer = JWTIssuerConfiguration(
        issuer: "https://id.example.com",
        audiences: ["tokend"],
        algorithms: JWSAlgorithm.allCases,
        keys: .url("https://id.example.com/keys")
    )

    @Test(arguments: [
        (200, #"{"keys":[]}"#, "no key"), (200, "<html>", "JSON"), (404, "", "404"), (302, "", "302"),
    ])
    func anIssuerWithoutKeysFails(status: Int, body: String, reason: String) async throws {
        let network = FakeNetwork(
            answer: .success(ProbeAnswer(status: status, date: nil, age: nil, body: Array(body.utf8)))
        )
        let check = KeySetCheck(network: network, clock: ClockCheck(now: { Self.now }))
        let finding = try #require(await check.finding(caller: "app", issuer: Self.issuer))
        #expect(finding.level == .fail)
        #expect(finding.subject == "callers.app")
        #expect(finding.text.contains(reason))
        #expect(finding.text.contains("https://id.example.com/keys"))
    }

    @Test func anIssuerThatCannotBeReachedFails() async throws {
        let network = FakeNetwork(answer: .failure(ProbeFailure("connection refused")))
        let check = KeySetCheck(network: network, clock: ClockCheck(now: { Self.now }))
        let finding = try #require(await check.finding(caller: "app", issuer: Self.issuer))
        #expect(finding.level == .fail)
        #expect(finding.text.contains("connection refused"))
    }

    @Test func anIssuerWithKeysIsWellAndTellsTheTime() async throws {
        let set = try JWSAlgorithm.allCases.map { try SigningKey.shared($0).jwk() }.keySet
        let date = HTTPDate.text(Self.now - 100)
        let network = FakeNetwork(answer: .success(ProbeAnswer(status: 200, date: date, age: nil, body: set)))
        let clock = ClockCheck(now: { Self.now })
        let check = KeySetCheck(network: network, clock: clock)
        let finding = try #require(await check.finding(caller: "app", issuer: Self.issuer))
        #expect(finding.level == .ok)
        #expect(clock.finding(url: nil).text.hasPrefix("The clock is 100 seconds ahead of that of id.example.com."))
    }
}

/// A network with one answer to everything.
private struct FakeNetwork: DoctorNetwork {
    let answer: Result<ProbeAnswer, ProbeFailure>

    func get(_ url: String, trusting: [UInt8]?) async throws(ProbeFailure) -> ProbeAnswer { try answer.get() }
    func connect(to url: String) async throws(ProbeFailure) { _ = try answer.get() }
}
