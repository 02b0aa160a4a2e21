import TestSupport
import Testing

@testable import TokenService

struct ConfigurationTypeTests {
    @Test(
        arguments: [
            "yes", "no", "on", "off", "Yes", "NO", "True", "TRUE", "False", "y", "n", "1", "0", "~", "null", "\"true\"",
            "''", "[true]", "{a: true}",
        ]
    )
    func `Only true and false are Boolean`(text: String) {
        let problems = ConfigurationSample.problems(replacing: "{listen:", with: "{behindTLSProxy: \(text), listen:")
        #expect(problems == ["line 2: service.behindTLSProxy: must be true or false."])
    }

    @Test(
        arguments: [
            "010", "0o10", "0x10", "0b1", "1_0", "+10", "-0", "1:30", "10.0", "1e1", ".inf", ".nan", "ten", "~", "",
            "99999999999999999999", "0", "3601", "-1", "[10]", "１０",
        ]
    )
    func `Only decimal numbers in the range are numbers`(text: String) {
        let problems = ConfigurationSample.problems(ConfigurationSample.yaml + "\nlimits: {idleSeconds: \(text)}")
        #expect(problems == ["line 13: limits.idleSeconds: must be an integer from 1 to 3600."])
    }

    @Test(
        arguments: [
            ("yes", "yes"), ("'yes'", "yes"), ("012", "012"), ("0x1F", "0x1F"), ("12:30:45", "12:30:45"),
            ("2026-01-31", "2026-01-31"),
            ("1_000", "1_000"), ("\"~\"", "~"), ("plain text", "plain text"), ("a:b", "a:b"),
        ]
    )
    func `All that is written is text`(yaml: String, text: String) throws {
        let sample = ConfigurationSample.yaml.replacing("file: keys", with: "file: \(yaml)")
        let configuration = try #require(ConfigurationFile(yaml: Array(sample.utf8)).configuration)
        #expect(configuration.files.contains(text))
    }

    @Test(arguments: ["~", "null", "NULL", "", "''", "[a]", "{a: b}"])
    func `Null, nothing, lists and mappings are no text`(text: String) {
        let problems = ConfigurationSample.problems(replacing: "my-project", with: text)
        #expect(problems == ["line 6: callers.app.firebase.project: must be text."])
    }

    /// A condition on the text "yes" where the claim is a Boolean would never be met, or be met by the wrong claim.
    @Test(
        arguments: [
            "yes", "On", "True", "1.5", "012", "1_0", "+1", "-a", ".inf", "~", "", "null", "=", "<<", "[a]",
            "2026-01-31",
        ]
    )
    func `The value of a claim is plain, or quoted`(text: String) {
        let problems = ConfigurationSample.problems(replacing: "[app]", with: "[app]\n    claims: {role: \(text)}")
        #expect(
            problems == [
                "line 11: grants.own.claims.role: must be text, an integer, true or false; quote anything else."
            ]
        )
    }

    @Test(arguments: ["text", "{a: b}", "~", "true"])
    func `A setting that is a list takes nothing else`(text: String) {
        #expect(
            ConfigurationSample.problems(replacing: "[app]", with: text).first
                == "line 10: grants.own.callers: must be a list."
        )
    }
}
