import FleetToken
import Foundation
import TestSupport
import Testing

/// What all commands have in common.
@Suite(.timeLimit(.minutes(5)))
struct TokenctlCommandTests {
    private static let commands = [
        [], ["mint"], ["inspect"], ["verify"], ["fetch"], ["keys"], ["keys", "new"], ["keys", "check"],
        ["keys", "promote"],
        ["apikey", "new"], ["audit", "verify"], ["doctor"], ["completion"], ["version"],
    ]

    @Test(arguments: commands)
    func helpsOnStandardOutput(command: [String]) async throws {
        try await TokenctlFixture.run { fixture in
            let outcome = try await CommandRunner("tokenctl", in: fixture.directory).run(command + ["--help"])
            #expect(outcome.status == 0)
            #expect(outcome.errors == "")
            #expect(outcome.text.hasPrefix("OVERVIEW: "))
            #expect(!outcome.text.contains("\u{1b}"))
        }
    }

    /// Help is wrapped at 80 columns, and what is wrapped cannot be pasted.
    @Test(arguments: [["mint"], ["inspect"], ["verify"], ["keys", "new"], ["keys", "check"]])
    func givesExamplesThatCanBePasted(command: [String]) async throws {
        try await TokenctlFixture.run { fixture in
            let help = try await CommandRunner("tokenctl", in: fixture.directory).run(command + ["--help"]).text
            let examples = try #require(help.split(separator: "EXAMPLES:\n").last?.split(separator: "\n\n").first)
            for line in examples.split(separator: "\n") {
                #expect(line.hasPrefix("  "), "\(line)")
            }
        }
    }

    @Test func showsItsVersion() async throws {
        try await TokenctlFixture.run { fixture in
            for argument in ["version", "--version"] {
                let outcome = try await fixture.tokenctl(argument)
                #expect(outcome.status == 0)
                // Release builds know their commit.
                #expect(outcome.text.contains(#/^tokenctl \d+\.\d+\.\d+(?: \([0-9a-f]{12}\))?\n$/#))
            }
        }
    }

    @Test func helpsWhenNothingIsAsked() async throws {
        try await TokenctlFixture.run { fixture in
            let outcome = try await fixture.tokenctl()
            #expect(outcome.status == 0)
            #expect(outcome.text.hasPrefix("OVERVIEW: "))
        }
    }

    @Test(arguments: [
        ["nonsense"], ["--nonsense"], ["keys", "nonsense"], ["inspect", "a", "b"], ["inspect", "-o"], ["mint"],
    ])
    func refusesWrongUsageWithItsOwnStatus(arguments: [String]) async throws {
        try await TokenctlFixture.run { fixture in
            let outcome = try await CommandRunner("tokenctl", in: fixture.directory).run(arguments)
            #expect(outcome.status == 64)
            #expect(outcome.output == [])
            #expect(outcome.errors.hasPrefix("Error: "))
            #expect(outcome.errors.contains("Usage: tokenctl"))
        }
    }

    private static let misspelt: [([String], String)] = [
        (["mnit"], "Unknown command 'mnit'. Did you mean 'mint'?"),
        (["keys", "chekc", "file"], "Unknown command 'chekc'. Did you mean 'check'?"),
        (["xyz"], "Unknown command 'xyz'."),
        (["mint", "--knd", "driver"], "Unknown option '--knd'. Did you mean '--kind'?"),
        (["mint", "--knd=driver"], "Unknown option '--knd'. Did you mean '--kind'?"),
        (["mint", "--kind", "driver", "--tsak-id", "x"], "Unknown option '--tsak-id'. Did you mean '--task-id'?"),
        (["--versoin"], "Unknown option '--versoin'. Did you mean '--version'?"),
        (["verify", "-o", "json", "--jwsk", "x"], "Unknown option '--jwsk'. Did you mean '--jwks'?"),
        (["mint", "--nothing-like-it"], "Unknown option '--nothing-like-it'."),
    ]

    @Test(arguments: misspelt)
    func saysWhatAMisspeltNameWasMeantToBe(arguments: [String], message: String) async throws {
        try await TokenctlFixture.run { fixture in
            let outcome = try await CommandRunner("tokenctl", in: fixture.directory).run(arguments)
            #expect(outcome.status == 64)
            #expect(outcome.errors.hasPrefix("Error: \(message)\nUsage: tokenctl"), "\(outcome.errors)")
        }
    }

    private static let token = "eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJhQGIifQ.c2lnbmF0dXJlLW9mLXRoZS10b2tlbg"

    private static let exposing = [
        ["inspect", token],
        ["inspect", "Bearer \(token)"],
        ["verify", token, "--key", "account.json"],
        ["verify", "file", token],
        ["verify", "--key", token],
        ["verify", "--jwks=https://example.com/?t=\(token)"],
        ["mint", "--kind", token],
        ["mint", "--kind", "consumer", "--id", token],
        ["keys", "check", "-----BEGIN PRIVATE KEY-----\nc2lnbmF0dXJlLW9m\n-----END PRIVATE KEY-----"],
        [token],
        ["--\(token)"],
        ["mint", "-o\(token)"],
    ]

    @Test(arguments: exposing)
    func refusesSecretsOnTheCommandLineAndRepeatsNothing(arguments: [String]) async throws {
        try await TokenctlFixture.run { fixture in
            let outcome = try await CommandRunner("tokenctl", in: fixture.directory).run(arguments)
            #expect(outcome.status == 64)
            #expect(outcome.output == [])
            #expect(outcome.errors.contains("on the command line is seen by every user"))
            #expect(!outcome.errors.contains("eyJ"))
            #expect(!outcome.errors.contains("c2lnbmF0dXJl"))
        }
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func writesCompletionsWithTheKinds(shell: String) async throws {
        try await TokenctlFixture.run { fixture in
            let outcome = try await fixture.tokenctl("completion", shell)
            #expect(outcome.status == 0)
            #expect(outcome.errors == "")
            for word in TokenKind.allCases.map(\.rawValue) + ["inspect", "claims", "service-account"] {
                #expect(outcome.text.contains(word), "\(word)")
            }
        }
    }

    @Test(.enabled(if: Requirement.runs(with: "/bin/bash")))
    func completesKindsInBash() async throws {
        try await TokenctlFixture.run { fixture in
            let script = """
                bash -c 'source <(tokenctl completion bash)
                COMP_WORDS=(tokenctl mint --kind deliv) COMP_CWORD=3 COMP_LINE="tokenctl mint --kind deliv"
                COMP_POINT=${#COMP_LINE}
                _tokenctl tokenctl deliv --kind; printf "%s\\n" "${COMPREPLY[@]}"'
                """
            let outcome = try await fixture.shell(script)
            let words = outcome.text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            #expect(
                Set(words) == ["delivery_driver", "delivery_consumer", "delivery_task", "delivery_server"],
                "\(outcome.text) \(outcome.errors)"
            )
        }
    }

    private static let writing = [
        ["mint", "--kind", "consumer", "--id", "x", "--service-account", "account.json"], ["inspect"],
        ["inspect", "-o", "json"], ["keys", "check", "account.json"], ["version"],
    ]

    /// Where the signal is not ignored it ends the process before anything can be written about it.
    @Test(arguments: writing)
    func endsQuietlyWhenNobodyReads(arguments: [String]) async throws {
        try await TokenctlFixture.run { fixture in
            _ = try await fixture.shell("chmod 600 account.json")
            let input = Array(try fixture.token().utf8)
            let outcome = try await CommandRunner("tokenctl", in: fixture.directory)
                .run(arguments, input: input, output: .brokenPipe)
            #expect(outcome.status == 1 || outcome.status == -SIGPIPE)
            #expect(outcome.errors == "")
            let ignoring = try await CommandRunner(path: "/bin/sh", in: fixture.directory).run(
                [
                    "-c", #"trap "" PIPE; exec "$0" "$@""#,
                    CommandRunner.products.appendingPathComponent("tokenctl").path,
                ]
                    + arguments,
                input: input,
                output: .brokenPipe
            )
            #expect(ignoring.status == 1)
            #expect(ignoring.errors == "")
        }
    }

    @Test(.enabled(if: Requirement.runs(with: "/dev/full")), arguments: writing)
    func saysThatItCannotWrite(arguments: [String]) async throws {
        try await TokenctlFixture.run { fixture in
            let outcome = try await CommandRunner("tokenctl", in: fixture.directory)
                .run(arguments, input: Array(try fixture.token().utf8), output: .file("/dev/full"))
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains("Error: Cannot write to standard output: "))
        }
    }
}
