import FleetToken
import JOSE
import TestTraits
import Testing

@testable import ServiceSupport
@testable import TokenMinting
@testable import TokenService

@Suite("The rings that come of key files, and what is said of those that are not good", .watchdog)
struct SigningKeysTests {
    private let now = NumericDate(seconds: 1_800_000_000)

    private func kind(
        _ account: AccountConfiguration,
        next: KindConfiguration.Next? = nil,
        previous: AccountConfiguration? = nil,
        isPrivileged: Bool = false
    ) -> KindConfiguration {
        KindConfiguration(account: account, next: next, previous: previous, isPrivileged: isPrivileged)
    }

    private func states(_ keys: SigningKeys, _ kind: TokenKind = .driver) -> [String] {
        keys.rings[kind]?.keys(at: now).map { "\($0.state.rawValue) \($0.key.keyID)" } ?? []
    }

    @Test("The files of a kind become its key ring")
    func filesBecomeARing() async throws {
        try await KeySite.with { site in
            try site.write("a.json", try KeySite.account("a"))
            try site.write("b.json", try KeySite.account("b", key: 1))
            try site.write("z.json", try KeySite.account("z", key: 2))
            let next = site.account("b.json")
            let keys = SigningKeys(
                [.driver: kind(site.account("a.json"), next: .init(account: next), previous: site.account("z.json"))],
                at: now
            )
            #expect(keys.problems == [])
            #expect(keys.warnings == [])
            #expect(states(keys) == ["current a", "next b", "previous z"])
            #expect(keys.accounts == [String](repeating: "driver@fleet.example", count: 3))
        }
    }

    @Test("The files of the next and the previous key may be absent, that of the current key may not")
    func missingFiles() async throws {
        try await KeySite.with { site in
            try site.write("a.json", try KeySite.account("a"))
            let (present, missing) = (site.account("a.json"), site.account("b.json"))
            let others = kind(present, next: .init(account: missing), previous: missing)
            let keys = SigningKeys([.driver: others, .consumer: kind(missing)], at: now)
            #expect(states(keys) == ["current a"] && keys.rings[.consumer] == nil)
            #expect(
                keys.problems.map(\.description) == [
                    "kinds.consumer.serviceAccount: Cannot read \(site.path("b.json")): no such file or folder."
                ]
            )
        }
    }

    @Test(
        "A file that is present must be a key",
        arguments: [[], Array("{".utf8), Array("{}".utf8), Array("-----BEGIN PRIVATE KEY-----\nMIIE\n".utf8)]
    )
    func filesThatAreThereMustBeKeys(bytes: [UInt8]) async throws {
        try await KeySite.with { site in
            try site.write("good.json", try KeySite.account("a"))
            try site.write("bad.json", bytes)
            let (good, bad) = (site.account("good.json"), site.account("bad.json"))
            for (kinds, path) in [
                (kind(bad), "kinds.driver"), (kind(good, next: .init(account: bad)), "kinds.driver.next"),
                (kind(good, previous: bad), "kinds.driver.previous"),
            ] {
                let keys = SigningKeys([.driver: kinds], at: now)
                let problem = try #require(keys.problems.first)
                #expect(keys.problems.count == 1)
                #expect(problem.setting == "\(path).serviceAccount" && problem.message.hasPrefix("\(bad.name): "))
                // Letters that the random name of the folder, in hexadecimal digits, cannot have.
                #expect(!problem.message.contains("MIIE"))
            }
        }
    }

    @Test("A key that other users can read is refused in any place", arguments: [0o640, 0o604, 0o620, 0o602])
    func keysThatOthersReachAreRefusedWhereverTheyStand(mode: Int) async throws {
        try await KeySite.with { site in
            try site.write("good.json", try KeySite.account("a"))
            try site.write("open.json", try KeySite.account("b"), mode: mode)
            let (good, open) = (site.account("good.json"), site.account("open.json"))
            for kinds in [kind(open), kind(good, next: .init(account: open)), kind(good, previous: open)] {
                let problems = SigningKeys([.driver: kinds], at: now).problems
                #expect(problems.count == 1)
                #expect(problems.first?.message.hasSuffix(". Run: chmod 600 \(open.name)") ?? false)
            }
        }
    }

    @Test("The next key belongs to the same account")
    func nextKeyIsForTheSameAccount() async throws {
        try await KeySite.with { site in
            try site.write("a.json", try KeySite.account("a"))
            try site.write("b.json", try KeySite.account("b", email: "other@fleet.example"))
            let problems = SigningKeys(
                [.driver: kind(site.account("a.json"), next: .init(account: site.account("b.json")))],
                at: now
            ).problems
            #expect(problems.count == 1)
            let expected =
                "kinds.driver.next.serviceAccount: \(site.path("b.json")) is a key of another account, other@fleet.example."
            #expect(problems.first?.description.hasPrefix(expected) ?? false)
            #expect(problems.first?.message.contains("--iam-account=driver@fleet.example") ?? false)
        }
    }

    @Test("A next key that signs by now is a warning")
    func nextKeyThatSignsByNowIsWarnedOf() async throws {
        try await KeySite.with { site in
            try site.write("a.json", try KeySite.account("a"))
            try site.write("b.json", try KeySite.account("b", key: 1))
            for (from, warnings) in [(now, 1), (now + 1, 0)] {
                let next = KindConfiguration.Next(account: site.account("b.json"), from: from)
                let keys = SigningKeys([.driver: kind(site.account("a.json"), next: next)], at: now)
                #expect(keys.problems == [])
                #expect(keys.warnings.count == warnings)
            }
        }
    }

    @Test("An app kind and an admin kind share no account in any place")
    func appAndAdminKindsShareNoAccountInAnyPlace() async throws {
        try await KeySite.with { site in
            try site.write("driver.json", try KeySite.account("a"))
            try site.write("server.json", try KeySite.account("b", email: "server@fleet.example", key: 1))
            let (driver, server) = (site.account("driver.json"), site.account("server.json"))
            for (driverKind, serverKind) in [
                (kind(driver), kind(driver, isPrivileged: true)),
                (kind(driver, previous: server), kind(server, isPrivileged: true)),
                (kind(driver), kind(server, previous: driver, isPrivileged: true)),
            ] {
                let keys = SigningKeys([.driver: driverKind, .server: serverKind], at: now)
                #expect(
                    keys.problems.map(\.description) == [
                        "kinds.driver: shares a service account with kinds.server, and one of them has access to everything, so the other has it too. Use a separate account for each."
                    ]
                )
            }
            let apart = SigningKeys([.driver: kind(driver), .server: kind(server, isPrivileged: true)], at: now)
            #expect(apart.problems + apart.warnings == [])
        }
    }

    @Test("App kinds of different roles that share an account are a warning")
    func appKindsOfDifferentRolesThatShareAnAccountAreWarnedOf() async throws {
        try await KeySite.with { site in
            try site.write("a.json", try KeySite.account("a"))
            let shared = kind(site.account("a.json"))
            let keys = SigningKeys([.driver: shared, .consumer: shared], at: now)
            #expect(keys.problems == [])
            #expect(
                keys.warnings.map(\.description) == [
                    "kinds.consumer: shares a service account with kinds.driver. Use a separate account for each, with only its own role."
                ]
            )
            // One role, so one account is right.
            let recipients = SigningKeys([.deliveryConsumer: shared, .deliveryTask: shared], at: now)
            #expect(recipients.problems + recipients.warnings == [])
        }
    }

    @Test("A reloaded file may not change to another account")
    func fileDoesNotBecomeAnotherAccountsKey() async throws {
        try await KeySite.with { site in
            let kinds = [TokenKind.driver: kind(site.account("a.json"))]
            try site.write("a.json", try KeySite.account("a"))
            let known = SigningKeys(kinds, at: now)
            try site.write("a.json", try KeySite.account("b", key: 1))
            var rotated = SigningKeys(kinds, at: now)
            rotated.checkAccounts(kinds, since: (kinds, known.rings))
            #expect(rotated.problems == [])

            try site.write("a.json", try KeySite.account("c", email: "other@fleet.example"))
            var swapped = SigningKeys(kinds, at: now)
            swapped.checkAccounts(kinds, since: (kinds, known.rings))
            #expect(swapped.problems.count == 1)
            #expect(swapped.problems.first?.message.contains("a key of another account, other@fleet.example") ?? false)

            // Another file is another matter.
            try site.write("c.json", try KeySite.account("c", email: "other@fleet.example"))
            let moved = [TokenKind.driver: kind(site.account("c.json"))]
            var changed = SigningKeys(moved, at: now)
            changed.checkAccounts(moved, since: (kinds, known.rings))
            #expect(changed.problems == [])
        }
    }
}
