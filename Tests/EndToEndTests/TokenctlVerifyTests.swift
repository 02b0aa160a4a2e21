import Foundation
import JOSE
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct TokenctlVerifyTests {
    private static let at = ["--at", "2026-11-20T22:48:10Z"]

    private func verify(
        _ fixture: TokenctlFixture,
        _ token: String,
        _ arguments: [String] = ["--key", "account.json"] + at
    ) async throws -> CommandRunner.Outcome {
        try await CommandRunner("tokenctl", in: fixture.directory)
            .run(["verify"] + arguments, input: Array(token.utf8))
    }

    @Test func saysWhatAValidTokenOpens() async throws {
        try await TokenctlFixture.run { fixture in
            let outcome = try await verify(fixture, try fixture.token())
            #expect(outcome.status == 0)
            #expect(outcome.errors == "")
            #expect(
                outcome.text
                    == "Valid: gives access to the trip trip-1, expires in 59 minutes (2026-11-20 23:47:10 UTC).\n"
            )
        }
    }

    @Test func readsAFileToo() async throws {
        try await TokenctlFixture.run { fixture in
            try fixture.write(Array(try fixture.token().utf8), to: "token")
            #expect(try await verify(fixture, "", ["token", "--key", "account.json"] + Self.at).status == 0)
            #expect(try await verify(fixture, "", ["missing", "--key", "account.json"] + Self.at).status == 1)
        }
    }

    @Test func takesAnyFormOfKey() async throws {
        try await TokenctlFixture.run { fixture in
            try fixture.write(try fixture.key.pem(), to: "private.pem")
            try fixture.write(try fixture.keySet(), to: "jwks.json")
            let openssl = try await fixture.shell("openssl pkey -in private.pem -pubout -out public.pem")
            try #require(openssl.status == 0)
            let token = try fixture.token()
            for key in ["account.json", "private.pem", "public.pem"] {
                #expect(try await verify(fixture, token, ["--key", key] + Self.at).status == 0, "\(key)")
            }
            #expect(try await verify(fixture, token, ["--jwks", "jwks.json"] + Self.at).status == 0)
        }
    }

    @Test func listsAllThatFailsAndEndsWithTheGravest() async throws {
        try await TokenctlFixture.run { fixture in
            let other = try await fixture.tokenctl("keys", "new", "other.json")
            try #require(other.status == 0)
            let outcome = try await verify(
                fixture,
                try fixture.token(header: #"{"alg":"RS256","typ":"JWT"}"#),
                ["--key", "other.json", "--at", "1795300000", "--kind", "driver", "--id", "v"]
            )
            #expect(outcome.status == 3)
            #expect(outcome.output == [])
            #expect(
                outcome.errors == """
                    Not valid:
                      signature: The signature is invalid for this key.
                      claims: The header has no kid; Fleet Engine requires it.
                      claims: It expired 22 hours ago. Request a new token.
                      scope: The token gives access to the trip trip-1 instead of the vehicle v.

                    """
            )
        }
    }

    @Test func endsWithAStatusForEachStage() async throws {
        try await TokenctlFixture.run { fixture in
            let good = try fixture.token()
            let key = ["--key", "account.json"]
            #expect(try await verify(fixture, "no token").status == 2)
            #expect(try await verify(fixture, try fixture.token(claims: "no JSON")).status == 2)
            #expect(try await verify(fixture, String(good.dropLast(8)) + "AAAAAAAA").status == 3)
            #expect(try await verify(fixture, good, key + ["--at", "2026-11-20T23:47:09Z"]).status == 0)
            #expect(try await verify(fixture, good, key + ["--at", "2026-11-20T23:47:10Z"]).status == 4)
            #expect(try await verify(fixture, good, key + ["--at", "2026-11-20T22:37:00+01:00"]).status == 4)
            #expect(try await verify(fixture, try fixture.token(authorization: "{}")).status == 4)
            let scope = ["--kind", "consumer", "--id"]
            #expect(try await verify(fixture, good, key + Self.at + scope + ["trip-1"]).status == 0)
            #expect(try await verify(fixture, good, key + Self.at + scope + ["trip-2"]).status == 5)
        }
    }

    @Test func comparesTheScope() async throws {
        try await TokenctlFixture.run { fixture in
            let key = ["--key", "account.json"] + Self.at
            let batch = try fixture.token(authorization: #"{"taskids":["a","b"]}"#)
            let tasks = ["--kind", "delivery_server", "--task-id", "b", "--task-id", "a"]
            #expect(try await verify(fixture, batch, key + tasks).status == 0)
            #expect(try await verify(fixture, batch, key + tasks + ["--task-id", "c"]).status == 5)
            #expect(try await verify(fixture, batch, key + ["--kind", "delivery_server"]).status == 5)
            let unicode = try fixture.token(authorization: #"{"tripid":"Fähre"}"#)
            #expect(try await verify(fixture, unicode, key + ["--kind", "consumer", "--id", "Fähre"]).status == 0)
        }
    }

    private static let refused: [([String], String)] = [
        ([], "either --key or --jwks"),
        (["--key", "account.json", "--jwks", "jwks.json"], "either --key or --jwks"),
        (["--key", "account.json", "--id", "x"], "require --kind"),
        (["--key", "account.json", "--task-id", "x"], "require --kind"),
        (["--key", "account.json", "--kind", "consumer"], "Use --id"),
        (["--key", "account.json", "--at", "yesterday"], "RFC 3339"),
        (["--key", "missing.pem"], "Cannot read missing.pem"),
        (["--jwks", "missing.json"], "Cannot read missing.json"),
        (["--jwks", "http://example.com/"], "use https"),
        (["--jwks", "https://user:secret@example.com/"], "user name or password"),
        (["--jwks", "ftp://localhost/"], "Use https"),
    ]

    @Test(arguments: refused)
    func refusesWrongUsage(arguments: [String], message: String) async throws {
        try await TokenctlFixture.run { fixture in
            let outcome = try await verify(fixture, try fixture.token(), arguments)
            #expect(outcome.status == (message.hasPrefix("Cannot read") ? 1 : 64))
            #expect(outcome.output == [])
            #expect(outcome.errors.hasPrefix("Error: "))
            #expect(outcome.errors.contains(message), "\(outcome.errors)")
            #expect(!outcome.errors.contains("secret"))
        }
    }

    @Test(arguments: ["{", "{}", #"{"keys":{}}"#, #"{"keys":[1]}"#, "<html>"])
    func refusesABadKeySet(text: String) async throws {
        try await TokenctlFixture.run { fixture in
            try fixture.write(Array(text.utf8), to: "jwks.json")
            let outcome = try await verify(fixture, try fixture.token(), ["--jwks", "jwks.json"])
            #expect(outcome.status == 3)
            #expect(outcome.errors.hasPrefix("Error: jwks.json: "))
        }
    }

    @Test func refusesAKeySetWithoutTheKey() async throws {
        try await TokenctlFixture.run { fixture in
            try fixture.write(Array(#"{"keys":[]}"#.utf8), to: "jwks.json")
            let outcome = try await verify(fixture, try fixture.token(), ["--jwks", "jwks.json"] + Self.at)
            #expect(outcome.status == 3)
            #expect(outcome.errors.contains("signature: The key named in the token's header is not in the key set."))
        }
    }

    @Test func refusesABadKey() async throws {
        try await TokenctlFixture.run { fixture in
            try fixture.write(Array("no key".utf8), to: "key.pem")
            let outcome = try await verify(fixture, try fixture.token(), ["--key", "key.pem"])
            #expect(outcome.status == 3)
            #expect(outcome.errors == "Error: key.pem: This is not PEM: it has no -----BEGIN line.\n")
        }
    }
}
