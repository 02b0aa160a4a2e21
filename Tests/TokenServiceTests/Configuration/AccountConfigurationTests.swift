import FleetToken
import TestSupport
import Testing

@testable import TokenMinting
@testable import TokenService

struct AccountConfigurationTests {
    private static let address = "driver@my-project.iam.gserviceaccount.com"

    private func account(_ settings: String) throws -> AccountConfiguration {
        let yaml = ConfigurationSample.yaml.replacing("{serviceAccount: driver.json}", with: settings)
        let configuration = try #require(ConfigurationFile(yaml: Array(yaml.utf8)).configuration)
        return try #require(configuration.kinds[.driver])
    }

    @Test
    func `Each signer is read with its settings`() throws {
        #expect(try account("{serviceAccount: a.json}") == .serviceAccount(file: "a.json"))
        #expect(try account("{iam: \(Self.address)}") == .iam(account: Self.address, credentials: nil))
        #expect(
            try account("{iam: \(Self.address), credentials: caller.json}")
                == .iam(account: Self.address, credentials: "caller.json")
        )
    }

    private func problems(_ settings: String) -> [String] {
        ConfigurationSample.problems(replacing: "{serviceAccount: driver.json}", with: settings)
    }

    @Test(
        arguments: [
            (
                "{iam: driver@example.com}",
                [
                    ".iam: must be the email address of a Google service account, such as driver@my-project.iam.gserviceaccount.com."
                ]
            ),
            ("{serviceAccount: a, credentials: b}", [": credentials is only for iam."]),
            (
                "{iam: \(address), serviceAccount: a}",
                [": requires exactly one of serviceAccount, iam."]
            ),
            ("{iam: \(address), credentials: []}", [".credentials: must be text."]),
            (
                "{iam: \(address), endpoint: \"https://evil.example\"}",
                [
                    ".endpoint: is an unknown setting. Known settings are serviceAccount, iam, credentials."
                ]
            ),
        ] as [(String, [String])]
    )
    func `A wrong, missing or foreign setting of a signer is a problem`(settings: String, problems: [String]) {
        #expect(Set(self.problems(settings)) == Set(problems.map { "line 4: kinds.driver" + $0 }))
    }
}
