import FleetToken
import TestSupport
import Testing

@testable import TokenMinting
@testable import TokenService

@Suite("The account of a kind")
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

    private static let pkcs11 = "{module: ./m, token: t, key: k, pinFile: p}"
    private static let bareModule = "{module: m.so, token: t, key: k, pinFile: p}"
    private static let longToken = pkcs11.replacing("token: t", with: "token: " + String(repeating: "t", count: 33))

    @Test(
        "A wrong, missing or foreign setting of a signer is a problem",
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
        ] as [(String, [String])]
    )
    func problems(settings: String, problems: [String]) {
        let found = ConfigurationSample.problems(replacing: "{serviceAccount: driver.json}", with: settings)
        #expect(Set(found) == Set(problems.map { "line 4: kinds.driver" + $0 }))
    }
}
