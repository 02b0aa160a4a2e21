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
        "A wrong, missing or foreign setting of a signer, or of the next or previous key, is a problem",
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
                    ".endpoint: is an unknown setting. Known settings are privileged, serviceAccount, iam, credentials, next, previous."
                ]
            ),
            ("{serviceAccount: a, next: b}", [".next: must be a mapping."]),
            ("{serviceAccount: a, next: {}}", [".next: requires exactly one of serviceAccount, iam."]),
            (
                "{serviceAccount: a, previous: {serviceAccount: b, from: 2026-12-01T00:00:00Z}}",
                [
                    ".previous.from: is an unknown setting. Known settings are serviceAccount, iam, credentials."
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
