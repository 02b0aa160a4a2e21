import FleetToken
import JOSE
import TestTools
import Testing

@testable import ServiceSupport
@testable import TokenMinting
@testable import TokenService

@Suite(.watchdog)
struct SigningKeysTests {
    @Test
    func `Each kind signs with the key in its file`() async throws {
        try await KeySite.with { site in
            try site.write("a.json", try KeySite.account("a"))
            try site.write("b.json", try KeySite.account("b", email: "consumer@fleet.example", key: 1))
            let keys = SigningKeys([.driver: site.account("a.json"), .consumer: site.account("b.json")])
            #expect(keys.problems == [])
            #expect(keys.warnings == [])
            #expect(keys.signers[.driver]?.publicKeys.map(\.keyID) == ["a"])
            #expect(keys.signers[.consumer]?.publicKeys.map(\.keyID) == ["b"])
            #expect(Set(keys.accounts) == ["driver@fleet.example", "consumer@fleet.example"])
        }
    }

    @Test
    func `A file that is absent is a problem of its kind only`() async throws {
        try await KeySite.with { site in
            try site.write("a.json", try KeySite.account("a"))
            let (present, missing) = (site.account("a.json"), site.account("b.json"))
            let keys = SigningKeys([.driver: present, .consumer: missing])
            #expect(keys.signers[.driver] != nil && keys.signers[.consumer] == nil)
            #expect(
                keys.problems.map(\.description) == [
                    "kinds.consumer.serviceAccount: Cannot read \(site.path("b.json")): no such file or folder."
                ]
            )
        }
    }

    @Test(
        arguments: [[], Array("{".utf8), Array("{}".utf8), Array("-----BEGIN PRIVATE KEY-----\nMIIE\n".utf8)]
    )
    func `A file that is present must be a key`(bytes: [UInt8]) async throws {
        try await KeySite.with { site in
            try site.write("bad.json", bytes)
            let bad = site.account("bad.json")
            let keys = SigningKeys([.driver: bad])
            let problem = try #require(keys.problems.first)
            #expect(keys.problems.count == 1)
            #expect(problem.setting == "kinds.driver.serviceAccount" && problem.message.hasPrefix("\(bad.name): "))
            // Letters that the random name of the folder, in hexadecimal digits, cannot have.
            #expect(!problem.message.contains("MIIE"))
        }
    }

    @Test
    func `A key that other users can read is refused`() async throws {
        try await KeySite.with { site in
            try site.write("open.json", try KeySite.account("b"), mode: 0o640)
            let open = site.account("open.json")
            let problems = SigningKeys([.driver: open]).problems
            #expect(problems.count == 1)
            #expect(problems.first?.message.hasSuffix(". Run: chmod 600 \(open.name)") ?? false)
        }
    }

    @Test
    func `An app kind and an admin kind share no account`() async throws {
        try await KeySite.with { site in
            try site.write("driver.json", try KeySite.account("a"))
            try site.write("server.json", try KeySite.account("b", email: "server@fleet.example", key: 1))
            let (driver, server) = (site.account("driver.json"), site.account("server.json"))
            let keys = SigningKeys([.driver: driver, .deliveryDriver: server, .server: driver])
            #expect(
                keys.problems.map(\.description) == [
                    "kinds.driver: shares a service account with kinds.server, and one of them has access to everything, so the other has it too. Use a separate account for each."
                ]
            )
            let apart = SigningKeys([.driver: driver, .server: server])
            #expect(apart.problems + apart.warnings == [])
        }
    }

    @Test
    func `App kinds of different roles that share an account are a warning`() async throws {
        try await KeySite.with { site in
            try site.write("a.json", try KeySite.account("a"))
            let shared = site.account("a.json")
            let keys = SigningKeys([.driver: shared, .consumer: shared])
            #expect(keys.problems == [])
            #expect(
                keys.warnings.map(\.description) == [
                    "kinds.consumer: shares a service account with kinds.driver. Use a separate account for each, with only its own role."
                ]
            )
            // One role, so one account is right.
            let recipients = SigningKeys([.deliveryConsumer: shared, .deliveryTask: shared])
            #expect(recipients.problems + recipients.warnings == [])
        }
    }

    @Test
    func `A reloaded file may not change to another account`() async throws {
        try await KeySite.with { site in
            let kinds = [TokenKind.driver: site.account("a.json")]
            try site.write("a.json", try KeySite.account("a"))
            let known = SigningKeys(kinds)
            try site.write("a.json", try KeySite.account("b", key: 1))
            var rotated = SigningKeys(kinds)
            rotated.checkAccounts(kinds, since: (kinds, known.signers))
            #expect(rotated.problems == [])

            try site.write("a.json", try KeySite.account("c", email: "other@fleet.example"))
            var swapped = SigningKeys(kinds)
            swapped.checkAccounts(kinds, since: (kinds, known.signers))
            #expect(swapped.problems.count == 1)
            #expect(swapped.problems.first?.message.contains("a key of another account, other@fleet.example") ?? false)

            // Another file is another matter.
            try site.write("c.json", try KeySite.account("c", email: "other@fleet.example"))
            let moved = [TokenKind.driver: site.account("c.json")]
            var changed = SigningKeys(moved)
            changed.checkAccounts(moved, since: (kinds, known.signers))
            #expect(changed.problems == [])
        }
    }
}
