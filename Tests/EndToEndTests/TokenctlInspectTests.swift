import Foundation
import JOSE
import StrictCoding
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct TokenctlInspectTests {
    private func expired(_ fixture: TokenctlFixture) throws -> String {
        try fixture.token(
            claims: """
                {"iss":"a@b.example","sub":"a@b.example","aud":"https://fleetengine.googleapis.com/",\
                "iat":1000000000,"exp":1000003600,"authorization":{"tripid":"trip-1"}}
                """
        )
    }

    @Test func showsATokenAndThatItVerifiedNothing() async throws {
        try await TokenctlFixture.run { fixture in
            let outcome = try await fixture.tokenctl("inspect", input: try expired(fixture))
            #expect(outcome.status == 0)
            #expect(outcome.errors == "")
            let lines = outcome.text.split(separator: "\n")
            #expect(lines.first?.hasPrefix("Not verified: ") == true)
            for line in [
                #"    "kid": "key-1""#, #"      "tripid": "trip-1""#, "Kind      consumer", "Opens     the trip trip-1",
            ] {
                #expect(lines.contains(Substring(line)))
            }
            #expect(outcome.text.contains(#/\nExpired   \d+ days ago \(2001-09-09 02:46:40 UTC\)\n/#))
            #expect(outcome.text.contains(#/\n  - It expired \d+ days ago\. Request a new token\.\n$/#))
        }
    }

    @Test func showsJSON() async throws {
        try await TokenctlFixture.run { fixture in
            for option in ["-o", "--output"] {
                let outcome = try await fixture.tokenctl("inspect", option, "json", input: try expired(fixture))
                #expect(outcome.status == 0)
                #expect(outcome.errors == "")
                let report = try JSONParser.parseObject(outcome.output)
                #expect(
                    report.names == [
                        "schema", "verified", "header", "claims", "kinds", "issuedAt", "expiresAt", "expiresInSeconds",
                        "warnings",
                    ]
                )
                #expect(report["schema"] == .integer(1))
                #expect(report["verified"] == .bool(false))
                #expect(report["expiresAt"] == .string("2001-09-09T02:46:40Z"))
                #expect(report["kinds"] == .array([.string("consumer")]))
                #expect(report["warnings"]?.arrayValue?.first?.objectValue?["code"] == .string("expired"))
            }
        }
    }

    @Test func readsAFileOrStandardInput() async throws {
        try await TokenctlFixture.run { fixture in
            let token = try expired(fixture)
            try fixture.write(Array(token.utf8), to: "token")
            try fixture.write(Array("\(token)\n".utf8), to: "token-lf")
            try fixture.write(Array("\(token)\r\n".utf8), to: "token-crlf")
            var outcomes: [CommandRunner.Outcome] = []
            for file in ["token", "token-lf", "token-crlf"] {
                outcomes.append(try await fixture.tokenctl("inspect", file))
            }
            for input in [token, "\(token)\n", "\(token)\r\n"] {
                outcomes.append(try await fixture.tokenctl("inspect", input: input))
                outcomes.append(try await fixture.tokenctl("inspect", "-", input: input))
            }
            // A pipe hands over what it has, which may be less than all.
            let slowly = "{ head -c 100 token; cat /dev/null; tail -c +101 token; } | tokenctl inspect"
            outcomes.append(try await fixture.shell(slowly))
            for outcome in outcomes {
                #expect(outcome.status == 0)
                #expect(outcome.text.contains("\nOpens     the trip trip-1\n"))
            }
        }
    }

    @Test func readsATokenInAHeaderOrAnAnswer() async throws {
        try await TokenctlFixture.run { fixture in
            let token = try expired(fixture)
            let inputs = [
                "Bearer \(token)", "Authorization: Bearer \(token)\r\n", "authorization: bearer \(token)\n",
                #"{"token":"\#(token)","jwt":"\#(token)","expiresInSeconds":3540}"#,
            ]
            for input in inputs {
                let outcome = try await fixture.tokenctl("inspect", input: input)
                #expect(outcome.status == 0, "\(outcome.errors)")
                #expect(outcome.text.contains("\nOpens     the trip trip-1\n"))
            }
        }
    }

    @Test func refusesWhatIsNoToken() async throws {
        try await TokenctlFixture.run { fixture in
            let token = try expired(fixture)
            let inputs = [
                "", "\n", "\(token)\n\n", "\(token)\r", " \(token)", "\(token) ", "Basic \(token)",
                "Cookie: \(token)", #"{"jwt":"\#(token)"}"#, #"{"token":1}"#, "{", "\u{feff}\(token)", "\(token)\0",
                "no token", "a.b.c",
                String(repeating: "a", count: 16_385),
                String(repeating: "\n", count: 100_000), "\u{1b}[2J",
            ]
            for input in inputs {
                let outcome = try await fixture.tokenctl("inspect", input: input)
                #expect(outcome.status == 2, "\(input.prefix(20))")
                #expect(outcome.output == [])
                #expect(outcome.errors.hasPrefix("Error: "))
                #expect(!outcome.errors.contains("eyJ"))
                #expect(!outcome.errors.contains("\u{1b}"))
            }
        }
    }

    @Test func takesTheLargestTokenAndNoLarger() async throws {
        try await TokenctlFixture.run { fixture in
            let bare = try fixture.token(claims: #"{"x":""}"#)
            // Each character of padding takes four thirds of one in the token.
            let filling = (CompactJWS.maximumSize - bare.utf8.count) / 4 * 3
            let largest = try fixture.token(claims: #"{"x":"\#(String(repeating: "a", count: filling))"}"#)
            #expect((CompactJWS.maximumSize - 4...CompactJWS.maximumSize).contains(largest.utf8.count))
            #expect(try await fixture.tokenctl("inspect", input: largest + "\r\n").status == 0)
            let larger = try fixture.token(claims: #"{"x":"\#(String(repeating: "a", count: filling + 6))"}"#)
            let outcome = try await fixture.tokenctl("inspect", input: larger)
            #expect(outcome.status == 2)
            #expect(outcome.errors == "Error: The token is larger than 16 KiB.\n")
        }
    }

    @Test func saysWhichFileCannotBeRead() async throws {
        try await TokenctlFixture.run { fixture in
            for file in ["missing", ".", "account.json/x", "\u{1b}[31mred"] {
                let outcome = try await fixture.tokenctl("inspect", file)
                #expect(outcome.status == 1)
                #expect(outcome.output == [])
                #expect(outcome.errors.hasPrefix("Error: Cannot read "))
                #expect(!outcome.errors.contains("\u{1b}"))
            }
        }
    }

    @Test func isHarmlessWhateverTheTokenHolds() async throws {
        try await TokenctlFixture.run { fixture in
            let hostile = #"\u001b[2J\u001b]0;title\u0007\u009b31m\r\nValid: yes\u202e\u200b\u2028\u0085\u007f"#
            let token = try fixture.token(
                header: #"{"alg":"\#(hostile)","typ":"\#(hostile)","kid":"k","\#(hostile)":["\#(hostile)"]}"#,
                claims: """
                    {"iss":"\(hostile)","sub":"\(hostile)","aud":"\(hostile)","iat":1,"exp":2,"\(hostile)":{},\
                    "authorization":{"tripid":"\(hostile)","\(hostile)":"\(hostile)"}}
                    """
            )
            for arguments in [["inspect"], ["inspect", "-o", "json"], ["verify", "--key", "account.json"]] {
                let outcome = try await CommandRunner("tokenctl", in: fixture.directory)
                    .run(arguments, input: Array(token.utf8))
                let output = outcome.text + outcome.errors
                #expect(!output.isEmpty)
                for scalar in output.unicodeScalars where scalar != "\n" {
                    #expect((0x20..<0x7F).contains(scalar.value), "\(scalar.value)")
                }
                #expect(!output.contains("\nValid"))
            }
        }
    }
}
