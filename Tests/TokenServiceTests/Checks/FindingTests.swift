import FleetToken
import JOSE
import TestSupport
import TestTools
import Testing

@testable import ServiceSupport
@testable import TokenIssuance
@testable import TokenService

@Suite(.watchdog)
struct FindingTests {
    // MARK: Clock

    private static let now = NumericDate(seconds: 1_795_211_520)

    /// Returns the finding after a response with these header fields.
    private func clock(_ headers: [String: String]) async throws -> Finding {
        let check = ClockCheck(FakeHTTP(200, "", headers: headers), clock: .stopped(at: Self.now.seconds))
        _ = try await check.send(OutgoingRequest(.get, "https://www.example.com/x"))
        return check.finding()
    }

    @Test(
        arguments: [
            (0, Finding.Level.ok), (1, .ok), (30, .ok), (-30, .ok), (31, .warn), (-31, .warn), (60, .warn),
            (61, .fail), (-3539, .warn), (-3540, .fail), (1_000_000_000, .fail),
        ] as [(Int64, Finding.Level)]
    )
    func `A clock that is off by up to 30 seconds is well; one with which Google refuses tokens is a failure`(
        seconds: Int64,
        level: Finding.Level
    ) async throws {
        let finding = try await clock(["date": HTTPDate.text(Self.now - seconds)])
        #expect(finding.level == level)
        #expect(finding.text.contains("www.example.com"))
        if seconds.magnitude > 1 {
            #expect(finding.text.contains("\(seconds.magnitude) seconds \(seconds > 0 ? "ahead" : "behind")"))
        }
    }

    @Test
    func `The age of a cached response counts, and the metadata server's clock does not`() async throws {
        #expect(try await clock(["date": HTTPDate.text(Self.now - 3000), "age": "3000"]).level == .ok)
        #expect(try await clock(["date": HTTPDate.text(Self.now), "metadata-flavor": "Google"]).level == .warn)
    }

    @Test(arguments: [nil, "now"])
    func `A date that cannot be read counts as none`(date: String?) async throws {
        #expect(try await clock(date.map { ["date": $0] } ?? [:]).level == .warn)
    }

    @Test
    func `The clock of the quickest response counts`() async throws {
        let clock = TestClock(at: Double(Self.now.seconds))
        let http = FakeHTTP { request in
            let isSlow = request.url.contains("slow")
            clock.advance(by: isSlow ? 8 : 1)
            return OutgoingResponse(status: 200, headers: ["date": HTTPDate.text(Self.now + (isSlow ? -300 : 8))])
        }
        let check = ClockCheck(http, clock: clock.service)
        for name in ["slow", "quick"] { _ = try await check.send(OutgoingRequest(.get, "https://\(name).example/")) }
        #expect(check.finding() == Finding(.ok, subject: "clock", "The clock agrees with that of quick.example."))
    }

    // MARK: Servers

    private static let issuer = JWTIssuerConfiguration(
        issuer: "https://id.example.com",
        audiences: ["tokend"],
        algorithms: JWSAlgorithm.allCases,
        keys: .url(KeySetURL(known: "https://id.example.com/keys"))
    )

    @Test(
        arguments: [
            (200, #"{"keys":[]}"#, "no key"), (200, "<html>", "JSON"), (404, "", "404"), (302, "", "302"),
        ]
    )
    func `An issuer without usable keys is a failure`(status: Int, body: String, reason: String) async throws {
        let check = KeySetCheck(http: FakeHTTP(status, body), clock: .stopped())
        let finding = try #require(await check.finding(caller: "app", issuer: Self.issuer))
        #expect(finding.level == .fail)
        #expect(finding.subject == "callers.app")
        #expect(finding.text.contains(reason))
        #expect(finding.text.contains("https://id.example.com/keys"))
    }

    @Test(
        arguments: [
            (OutgoingError.failed("connection refused"), "connection refused"),
            (.timedOut, "timed out after ten seconds"),
            (.tooLarge, "the response is larger than 256 KiB"),
        ]
    )
    func `An issuer that is unreachable is a failure`(error: OutgoingError, reason: String) async throws {
        let http = FakeHTTP(error)
        let finding = try #require(
            await KeySetCheck(http: http, clock: .stopped())
                .finding(caller: "app", issuer: Self.issuer)
        )
        #expect(finding.level == .fail)
        #expect(
            finding.text
                == "https://id.example.com/keys is unreachable: \(reason). Its callers cannot authenticate. Check the address and the firewall."
        )
        #expect(http.requests.map(\.timeout) == [.seconds(10)])
        #expect(http.requests.map(\.maximumSize) == [262_144])
    }

    @Test
    func `An issuer with keys is well, and its clock counts`() async throws {
        let set = try JWSAlgorithm.allCases.map { try SigningKey.shared($0).jwk() }.keySet
        let date = HTTPDate.text(Self.now - 100)
        let http = FakeHTTP(200, String(decoding: set, as: UTF8.self), headers: ["date": date])
        let clock = ClockCheck(http, clock: .stopped(at: Self.now.seconds))
        let check = KeySetCheck(http: clock, clock: .stopped())
        let finding = try #require(await check.finding(caller: "app", issuer: Self.issuer))
        #expect(finding.level == .ok)
        #expect(clock.finding().text.hasPrefix("The clock is 100 seconds ahead of that of id.example.com."))
    }
}
