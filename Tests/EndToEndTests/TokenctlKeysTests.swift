import Foundation
import JOSE
import StrictCoding
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct TokenctlKeysTests {
    @Test func makesAServiceAccount() async throws {
        try await TokenctlFixture.run { fixture in
            let outcome = try await fixture.tokenctl("keys", "new", "new.json", "--email", "driver@b.example")
            #expect(outcome.status == 0)
            #expect(outcome.errors == "")
            #expect(try fixture.permissions(of: "new.json") == 0o600)
            let account = try JSONParser.parseObject(try Data(contentsOf: fixture.path("new.json")))
            let pem = try #require(account["private_key"]?.stringValue)
            let key = try RSAPrivateKey(pem: Array(pem.utf8)).publicKey
            #expect(account["client_email"] == .string("driver@b.example"))
            #expect(account["private_key_id"] == .string(key.thumbprint))
            #expect(
                outcome.text == """
                    Wrote new.json: a service account's JSON key, usable for signing.
                      Account     driver@b.example
                      Key ID      \(key.thumbprint)
                      Size        RSA, 2048 bits
                      Thumbprint  \(key.thumbprint)

                    """
            )
        }
    }

    @Test func makesPEM() async throws {
        try await TokenctlFixture.run { fixture in
            let outcome = try await fixture.tokenctl(
                "keys",
                "new",
                "new.pem",
                "--format",
                "pem",
                "--bits",
                "3072",
                "-o",
                "jwks"
            )
            #expect(outcome.status == 0)
            #expect(try fixture.permissions(of: "new.pem") == 0o600)
            let key = try RSAPrivateKey(pem: Array(try Data(contentsOf: fixture.path("new.pem"))))
            #expect(key.publicKey.bits == 3072)
            #expect(try JWKSet(parsing: outcome.output).keys == [JWK(key.publicKey)])
        }
    }

    @Test func neverWritesOverAFile() async throws {
        try await TokenctlFixture.run { fixture in
            let before = try Data(contentsOf: fixture.path("account.json"))
            let outcome = try await fixture.tokenctl("keys", "new", "account.json")
            #expect(outcome.status == 1)
            #expect(outcome.output == [])
            #expect(outcome.errors == "Error: account.json already exists and was not changed. Use a new file.\n")
            #expect(try Data(contentsOf: fixture.path("account.json")) == before)
        }
    }

    private static let refused: [([String], String)] = [
        ([], "Missing expected argument '<file>'"),
        (["missing/new.json"], "Cannot write missing/new.json"),
        (["new.json", "--bits", "1024"], "2048 to 8192"),
        (["new.json", "--bits", "99999"], "2048 to 8192"),
        (["new.json", "--bits", "many"], "'many' is invalid"),
        (["new.json", "--email", "nobody"], "not the email address"),
        (["new.json", "--email", "a\nb@c.example"], "not the email address"),
        (["new.json", "--format", "der"], "'service-account' and 'pem'"),
    ]

    @Test(arguments: refused)
    func refusesWhatItCannotMake(arguments: [String], message: String) async throws {
        try await TokenctlFixture.run { fixture in
            let outcome = try await CommandRunner("tokenctl", in: fixture.directory).run(["keys", "new"] + arguments)
            #expect(outcome.status == (message.hasPrefix("Cannot write") ? 1 : 64))
            #expect(outcome.output == [])
            #expect(outcome.errors.contains(message), "\(outcome.errors)")
            #expect(!FileManager.default.fileExists(atPath: fixture.path("new.json").path))
        }
    }

    @Test func saysWhatAFileHolds() async throws {
        try await TokenctlFixture.run { fixture in
            try fixture.write(try fixture.key.pem(), to: "private.pem")
            let openssl = try await fixture.shell(
                "chmod 600 *.json *.pem && openssl pkey -in private.pem -pubout -out public.pem"
            )
            try #require(openssl.status == 0)
            let rows = "  Size        RSA, 2048 bits\n  Thumbprint  \(fixture.key.publicKey.thumbprint)\n"
            let reports = [
                "account.json": """
                account.json: a service account's JSON key, usable for signing.
                  Account     a@b.example
                  Key ID      key-1

                """,
                "private.pem": "private.pem: a private key, usable for signing.\n",
                "public.pem": "public.pem: a public key, for verification only.\n",
            ]
            for (file, report) in reports {
                let outcome = try await fixture.tokenctl("keys", "check", file)
                #expect(outcome.status == 0)
                #expect(outcome.text == report + rows)
                #expect(outcome.errors == "")
            }
        }
    }

    @Test func showsThePublicHalfForOtherTools() async throws {
        try await TokenctlFixture.run { fixture in
            let outcome = try await fixture.tokenctl("keys", "check", "account.json", "-o", "jwks")
            #expect(try outcome.output == fixture.keySet() + [UInt8(ascii: "\n")])
            let verdict = try await fixture.shell(
                """
                tokenctl keys check account.json -o jwks > jwks.json
                tokenctl mint --kind consumer --id x --service-account account.json | tokenctl verify --jwks jwks.json
                """
            )
            #expect(verdict.status == 0)
        }
    }

    @Test func warnsWhenOthersCanReadASecret() async throws {
        try await TokenctlFixture.run { fixture in
            for (mode, who) in [("640", "its group"), ("604", "others"), ("644", "others")] {
                _ = try await fixture.shell("chmod \(mode) account.json")
                let outcome = try await fixture.tokenctl("keys", "check", "account.json")
                #expect(outcome.status == 0)
                #expect(
                    outcome.errors
                        == "Warning: account.json can be read by \(who) (mode \(mode)). Run: chmod 600 account.json\n"
                )
            }
            let script = """
                openssl genrsa 2048 2>/dev/null | openssl pkey -pubout -out public.pem && chmod 644 public.pem
                """
            _ = try await fixture.shell(script)
            #expect(try await fixture.tokenctl("keys", "check", "public.pem").errors == "")
        }
    }

    private static let badKeys: [(String, String)] = [
        (": > bad", "not PEM"),
        ("echo '{' > bad", "Not a service account's JSON key"),
        ("echo '{}' > bad", "private_key is missing"),
        ("openssl ecparam -name prime256v1 -genkey -noout -out bad", "Create an RSA key"),
        ("openssl genpkey -algorithm ed25519 -out bad", "Create an RSA key"),
        ("openssl genrsa -out bad 1024 2>/dev/null", "1024 bits"),
        ("openssl genrsa -aes128 -passout pass:secret -out bad 2048 2>/dev/null", "encrypted"),
        ("openssl genrsa 2048 2>/dev/null | head -c 900 > bad", "damaged"),
    ]

    @Test(arguments: badKeys)
    func saysInALineWhatIsWrongWithAKey(script: String, message: String) async throws {
        try await TokenctlFixture.run { fixture in
            let made = try await fixture.shell(script)
            try #require(made.status == 0)
            let outcome = try await fixture.tokenctl("keys", "check", "bad")
            #expect(outcome.status == 3)
            #expect(outcome.output == [])
            #expect(outcome.errors.contains(message), "\(outcome.errors)")
            #expect(outcome.errors.hasPrefix("Error: "))
            #expect(outcome.errors.filter { $0 == "\n" }.count == 1)
            #expect(!outcome.errors.contains("secret"))
        }
    }

    @Test(arguments: ["missing", ".", "large"])
    func saysWhichFileCannotBeRead(file: String) async throws {
        try await TokenctlFixture.run { fixture in
            try fixture.write([UInt8](repeating: 0, count: 70_000), to: "large")
            let outcome = try await fixture.tokenctl("keys", "check", file)
            #expect(outcome.status == 1)
            #expect(outcome.errors.hasPrefix("Error: Cannot read \(file): "))
        }
    }
}
