import FleetToken
import TestSupport
import Testing

@testable import TokenMinting
@testable import TokenService

/// What signs a kind, as the file says it.
@Suite struct AccountConfigurationTests {
    private static let address = "driver@my-project.iam.gserviceaccount.com"

    private func account(_ settings: String) throws -> AccountConfiguration {
        let yaml = ConfigurationSample.yaml.replacing("{serviceAccount: driver.json}", with: settings)
        let configuration = try #require(ConfigurationFile(yaml: Array(yaml.utf8)).configuration)
        return try #require(configuration.kinds[.driver]).account
    }

    @Test func readsWhatSigns() throws {
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
        #expect(try account("{iam: \(Self.address)}") == .iam(IAMConfiguration(account: Self.address)))
        #expect(
            try account(
                "{iam: \(Self.address), credentials: caller.json}"
            )
                == .iam(
                    IAMConfiguration(
                        account: Self.address,
                        credentials: "caller.json"
                    )
                )
        )
    }

    @Test(arguments: [
        (
            "{iam: driver@example.com}",
            [
                "line 4: kinds.driver.iam: must be the email address of a Google service account, such as driver@my-project.iam.gserviceaccount.com."
            ]
        ),
        (
            "{iam: \(address), keyId: k}",
            [
                "line 4: kinds.driver: issuer and keyId are only for pem and pkcs11; for serviceAccount and iam they are known."
            ]
        ),
        (
            "{serviceAccount: a, credentials: b}",
            ["line 4: kinds.driver: credentials is only for iam."]
        ),
        (
            "{iam: \(address), serviceAccount: a}",
            ["line 4: kinds.driver: requires exactly one of serviceAccount, pem, iam, pkcs11."]
        ),
        (
            "{iam: \(address), credentials: []}",
            [
                "line 4: kinds.driver.credentials: must be text."
            ]
        ),
        (
            "{pkcs11: {module: m.so, token: t, key: k, pinFile: p}, issuer: a@b, keyId: k}",
            ["line 4: kinds.driver.pkcs11: module must be a path, such as /usr/lib/softhsm/libsofthsm2.so."]
        ),
        (
            "{pkcs11: {module: ./m, token: \(String(repeating: "t", count: 33)), key: k, pinFile: p}, issuer: a@b, keyId: k}",
            ["line 4: kinds.driver.pkcs11: token must be a label of at most 32 bytes."]
        ),
        (
            "{pkcs11: {module: ./m, token: t, key: k, pin: 1234}, issuer: a@b}",
            [
                "line 4: kinds.driver.pkcs11: requires pinFile.",
                "line 4: kinds.driver.pkcs11.pin: is an unknown setting. Known settings are module, token, key, pinFile.",
            ]
        ),
        (
            "{pkcs11: {module: ./m, token: t, key: k, pinFile: p}, issuer: a@b}",
            [
                "line 4: kinds.driver: pkcs11 requires issuer (the service account's email address) and keyId (the key's ID at Google)."
            ]
        ),
        (
            "{iam: \(address), endpoint: \"https://evil.example\"}",
            [
                "line 4: kinds.driver.endpoint: is an unknown setting. Known settings are privileged, serviceAccount, pem, iam, pkcs11, issuer, keyId, credentials, next, previous."
            ]
        ),
    ])
    func saysWhatIsWrong(settings: String, problems: [String]) {
        let found = ConfigurationSample.problems(replacing: "{serviceAccount: driver.json}", with: settings)
        #expect(Set(found) == Set(problems))
    }
}
