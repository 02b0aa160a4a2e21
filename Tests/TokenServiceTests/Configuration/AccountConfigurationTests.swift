import FleetToken
import TestSupport
import Testing

@testable import TokenMinting
@testable import TokenService

@Suite("The accounts of a kind")
struct AccountConfigurationTests {
    private static let address = "driver@my-project.iam.gserviceaccount.com"

    private func account(_ settings: String) throws -> AccountConfiguration {
        let yaml = ConfigurationSample.yaml.replacing("{serviceAccount: driver.json}", with: settings)
        let configuration = try #require(ConfigurationFile(yaml: Array(yaml.utf8)).configuration)
        return try #require(configuration.kinds[.driver]).account
    }

    @Test("Each signer is read with its settings")
    func signers() throws {
        #expect(try account("{serviceAccount: a.json}") == .serviceAccount(file: "a.json"))
        #expect(
            try account("{pem: a.pem, issuer: a@b, keyId: k}") == .pem(file: "a.pem", issuer: "a@b", keyID: "k")
        )
        #expect(
            try account("{pkcs11: {module: /m.so, token: t, key: k, pinFile: p}, issuer: a@b, keyId: k}")
                == .pkcs11(
                    PKCS11Configuration(module: "/m.so", token: "t", key: "k", pinFile: "p"),
                    issuer: "a@b",
                    keyID: "k"
                )
        )
        #expect(try account("{iam: \(Self.address)}") == .iam(account: Self.address, credentials: nil))
        #expect(
            try account("{iam: \(Self.address), credentials: caller.json}")
                == .iam(account: Self.address, credentials: "caller.json")
        )
    }

    private func problems(_ settings: String) -> [String] {
        ConfigurationSample.problems(replacing: "{serviceAccount: driver.json}", with: settings)
    }

    private static let pkcs11 = "{module: ./m, token: t, key: k, pinFile: p}"
    private static let bareModule = "{module: m.so, token: t, key: k, pinFile: p}"
    private static let longToken = pkcs11.replacing("token: t", with: "token: " + String(repeating: "t", count: 33))

    @Test(
        "A wrong, missing or foreign setting of a signer, or of the next or previous key, is a problem",
        arguments: [
            (
                "{iam: driver@example.com}",
                [
                    ".iam: must be the email address of a Google service account, such as driver@my-project.iam.gserviceaccount.com."
                ]
            ),
            (
                "{iam: \(address), keyId: k}",
                [": issuer and keyId are only for pem and pkcs11; for serviceAccount and iam they are known."]
            ),
            ("{serviceAccount: a, credentials: b}", [": credentials is only for iam."]),
            (
                "{iam: \(address), serviceAccount: a}",
                [": requires exactly one of serviceAccount, pem, iam, pkcs11."]
            ),
            ("{iam: \(address), credentials: []}", [".credentials: must be text."]),
            (
                "{pkcs11: \(bareModule), issuer: a@b, keyId: k}",
                [".pkcs11: module must be a path, such as /usr/lib/softhsm/libsofthsm2.so."]
            ),
            (
                "{pkcs11: \(longToken), issuer: a@b, keyId: k}",
                [".pkcs11: token must be a label of at most 32 bytes."]
            ),
            (
                "{pkcs11: {module: ./m, token: t, key: k, pin: 1234}, issuer: a@b}",
                [
                    ".pkcs11: requires pinFile.",
                    ".pkcs11.pin: is an unknown setting. Known settings are module, token, key, pinFile.",
                ]
            ),
            (
                "{pkcs11: \(pkcs11), issuer: a@b}",
                [
                    ": pkcs11 requires issuer (the service account's email address) and keyId (the key's ID at Google)."
                ]
            ),
            (
                "{iam: \(address), endpoint: \"https://evil.example\"}",
                [
                    ".endpoint: is an unknown setting. Known settings are privileged, serviceAccount, pem, iam, pkcs11, issuer, keyId, credentials, next, previous."
                ]
            ),
            ("{serviceAccount: a, next: b}", [".next: must be a mapping."]),
            ("{serviceAccount: a, next: {}}", [".next: requires exactly one of serviceAccount, pem, iam, pkcs11."]),
            (
                "{serviceAccount: a, previous: {pem: b}}",
                [
                    ".previous: pem requires issuer (the service account's email address) and keyId (the key's ID at Google)."
                ]
            ),
            (
                "{serviceAccount: a, previous: {serviceAccount: b, from: 2026-12-01T00:00:00Z}}",
                [
                    ".previous.from: is an unknown setting. Known settings are serviceAccount, pem, iam, pkcs11, issuer, keyId, credentials."
                ]
            ),
        ] as [(String, [String])]
    )
    func problems(settings: String, problems: [String]) {
        #expect(Set(self.problems(settings)) == Set(problems.map { "line 4: kinds.driver" + $0 }))
    }

    @Test(
        "The time of a promotion has a date, a time and a zone, with or without quotes",
        arguments: ["2026-12-01T00:00:00Z", "\"2026-12-01T00:00:00Z\"", "2026-12-01T01:00:00+01:00"].map { ($0, true) }
            + [
                "2026-12-01", "2026-12-01T00:00:00", "1796083200", "soon", "12:30:45", "[]", "2026-02-30T00:00:00Z",
            ].map { ($0, false) }
    )
    func timeOfPromotion(text: String, isTime: Bool) {
        let problems = problems("{serviceAccount: driver.json, next: {serviceAccount: b.json, from: \(text)}}")
        let problem = "line 4: kinds.driver.next.from: must be a time with a time zone, such as 2026-12-01T00:00:00Z."
        #expect(problems == (isTime ? [] : [problem]))
    }
}
