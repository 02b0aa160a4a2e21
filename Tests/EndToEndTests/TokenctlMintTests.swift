import FleetToken
import Foundation
import JOSE
import StrictCoding
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct TokenctlMintTests {
    private static let account = ["--service-account", "account.json"]

    @Test func writesTheTokenAlone() async throws {
        try await TokenctlFixture.run { fixture in
            let outcome = try await fixture.tokenctl(
                "mint",
                "--kind",
                "consumer",
                "--id",
                "trip-1",
                "--service-account",
                "account.json"
            )
            #expect(outcome.status == 0)
            #expect(outcome.errors == "")
            let token = try CompactJWS(parsing: outcome.output)
            try token.verify(with: fixture.key.publicKey)
            #expect(token.header == JWSHeader(keyID: "key-1"))
            let claims = try #require(ClaimsReading(payload: token.payload).claims)
            #expect(claims.issuer == "a@b.example")
            #expect(try claims.authorization == TokenScope(kind: .consumer, id: "trip-1").claims)
            #expect(claims.expiresAt - claims.issuedAt == 3600)
        }
    }

    @Test(.enabled(if: Requirement.runs(with: "/usr/bin/script")))
    func endsTheLineOnATerminal() async throws {
        try await TokenctlFixture.run { fixture in
            let command = "tokenctl mint --kind consumer --id trip-1 --service-account account.json"
            #if os(Linux)
            let outcome = try await fixture.shell("script -qec '\(command)' /dev/null")
            #else
            let outcome = try await fixture.shell("script -q /dev/null \(command)")
            #endif
            // The terminal writes a line feed as carriage return and line feed.
            #expect(outcome.output.suffix(2) == [0x0D, 0x0A])
            _ = try CompactJWS(parsing: outcome.output.dropLast(2))
        }
    }

    @Test func writesWhatTheServiceAnswers() async throws {
        try await TokenctlFixture.run { fixture in
            let outcome = try await fixture.tokenctl(
                "mint",
                "--kind",
                "driver",
                "--id",
                "v",
                "--lifetime",
                "600",
                "--service-account",
                "account.json",
                "-o",
                "json"
            )
            let body = try JSONParser.parseObject(outcome.output)
            #expect(
                body.names == [
                    "token", "jwt", "expiresInSeconds", "creationTimestamp", "expirationTimestamp",
                    "creation_timestamp_ms", "expiration_timestamp_ms",
                ]
            )
            #expect(body["expiresInSeconds"] == .integer(600))
            #expect(body["token"] == body["jwt"])
        }
    }

    @Test func writesAHeaderForCurl() async throws {
        try await TokenctlFixture.run { fixture in
            let outcome = try await fixture.tokenctl(
                "mint",
                "--kind",
                "server",
                "--service-account",
                "account.json",
                "--output",
                "header"
            )
            #expect(outcome.text.hasPrefix("Authorization: Bearer "))
            #expect(outcome.output.last == UInt8(ascii: "\n"))
            _ = try CompactJWS(parsing: outcome.output.dropFirst("Authorization: Bearer ".utf8.count).dropLast())
        }
    }

    @Test func writesTheClaims() async throws {
        try await TokenctlFixture.run { fixture in
            let outcome = try await fixture.tokenctl(
                "mint",
                "--kind",
                "delivery_server",
                "--task-id",
                "a",
                "--task-id",
                "b",
                "--service-account",
                "account.json",
                "-o",
                "claims"
            )
            let times = try JSONParser.parseObject(outcome.output)
            let issued = try #require(times["iat"]?.integerValue)
            #expect(
                outcome.text == """
                    {
                      "iss": "a@b.example",
                      "sub": "a@b.example",
                      "aud": "https://fleetengine.googleapis.com/",
                      "iat": \(issued),
                      "exp": \(issued + 3600),
                      "authorization": {
                        "taskids": [
                          "a",
                          "b"
                        ]
                      }
                    }

                    """
            )
        }
    }

    @Test func mintsEveryKindThatItThenVerifies() async throws {
        try await TokenctlFixture.run { fixture in
            for kind in TokenKind.allCases {
                let scope = "--kind \(kind.rawValue.uppercased())" + (kind.idField == nil ? "" : " --id id-1")
                let outcome = try await fixture.shell(
                    "tokenctl mint \(scope) --service-account account.json | tokenctl verify \(scope) --key account.json"
                )
                #expect(outcome.status == 0, "\(kind): \(outcome.errors)")
                #expect(outcome.text.hasPrefix("Valid: gives access to "))
            }
        }
    }

    @Test func makesADevelopmentKeyOnFirstUse() async throws {
        try await TokenctlFixture.run { fixture in
            let first = try await fixture.tokenctl("mint", "--kind", "driver", "--id", "v")
            #expect(
                first.errors == """
                    Created the folder keys for development keys.
                    Signed with a development key from keys: Google rejects this token.

                    """
            )
            #expect(try fixture.permissions(of: "keys/driver.json") == 0o600)
            let second = try await fixture.tokenctl("mint", "--kind", "driver", "--id", "v", "--keys", "keys")
            #expect(try CompactJWS(parsing: first.output).header == CompactJWS(parsing: second.output).header)
            let other = try await fixture.tokenctl("mint", "--kind", "driver", "--id", "v", "--keys", "other")
            #expect(try CompactJWS(parsing: first.output).header != CompactJWS(parsing: other.output).header)
        }
    }

    private static let refused: [([String], String)] = [
        (["--id", "x"], "Missing expected argument '--kind <kind>'"),
        (["--kind", "nobody"], "'nobody' is invalid for '--kind <kind>'"),
        (["--kind", "consumer"], "name its tripId. Use --id."),
        (["--kind", "consumer", "--id", ""], "Use --id."),
        (["--kind", "consumer", "--id", "*"], "An ID is not valid."),
        (["--kind", "consumer", "--id", "a/b"], "An ID is not valid."),
        (["--kind", "consumer", "--id", "a\u{1b}[31m"], "An ID is not valid."),
        (["--kind", "consumer", "--id", "x", "--task-id", "t"], "takes no task ID"),
        (["--kind", "server", "--id", "x"], "name no ID"),
        (["--kind", "trusted_delivery_driver", "--id", "x", "--task-id", "a", "--task-id", "b"], "at most one task"),
        (["--kind", "delivery_server", "--task-id", "a", "--task-id", "a"], "names a task twice"),
        (["--kind", "consumer", "--id", "x", "--lifetime", "599"], "600 to 3540 seconds"),
        (["--kind", "consumer", "--id", "x", "--lifetime", "3541"], "600 to 3540 seconds"),
        (["--kind", "consumer", "--id", "x", "--lifetime", "1h"], "600 to 3540 seconds"),
        (["--kind", "consumer", "--id", "x", "-o", "yaml"], "'token', 'json', 'header' or 'claims'"),
        (["--kind", "consumer", "--id", "x", "--keys", "keys"], "either --service-account or --keys"),
        (["--kind", "consumer", "--id", "x", "--nonsense"], "Unknown option '--nonsense'"),
        (["--kind", "consumer", "--id", "x", "more"], "Unexpected argument 'more'"),
    ]

    @Test(arguments: refused)
    func refusesWrongUsage(arguments: [String], message: String) async throws {
        try await TokenctlFixture.run { fixture in
            let outcome = try await CommandRunner("tokenctl", in: fixture.directory)
                .run(["mint", "--service-account", "account.json"] + arguments)
            #expect(outcome.status == 64)
            #expect(outcome.output == [])
            #expect(outcome.errors.hasPrefix("Error: "))
            #expect(outcome.errors.contains(message), "\(outcome.errors)")
            #expect(!outcome.errors.contains("\u{1b}"))
        }
    }

    @Test func saysWhatIsWrongWithTheAccount() async throws {
        try await TokenctlFixture.run { fixture in
            func mint(_ option: String, _ value: String) async throws -> CommandRunner.Outcome {
                try await fixture.tokenctl("mint", "--kind", "consumer", "--id", "x", option, value)
            }
            try fixture.write(Array("{}".utf8), to: "empty.json")
            let empty = try await mint("--service-account", "empty.json")
            #expect(empty.status == 3)
            #expect(empty.errors.hasPrefix("Error: empty.json: private_key is missing"))

            try fixture.write(try fixture.key.pem(), to: "key.pem")
            let pem = try await mint("--service-account", "key.pem")
            #expect(pem.status == 3)
            #expect(
                pem.errors == "Error: key.pem: a PEM file contains no account. Use the service account's JSON key.\n"
            )

            let missing = try await mint("--service-account", "missing.json")
            #expect(missing.status == 1)
            #expect(missing.errors == "Error: Cannot read missing.json: no such file or folder.\n")

            let notAFolder = try await mint("--keys", "account.json")
            #expect(notAFolder.status == 1)
            #expect(notAFolder.errors.hasPrefix("Error: Cannot "))

            for outcome in [empty, pem, missing, notAFolder] { #expect(outcome.output == []) }
        }
    }
}
