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
            "99999999999999999999", "0", "1000001", "-1", "[10]", "１０",
        ]
    )
    func `Only decimal numbers in the range are numbers`(text: String) {
        let problems = ConfigurationSample.problems(ConfigurationSample.yaml + "\nlimits: {connections: \(text)}")
        #expect(problems == ["line 13: limits.connections: must be an integer from 1 to 1000000."])
    }

    @Test(arguments: [("1s", 1), ("\"10s\"", 10), ("90s", 90), ("5m", 300), ("60m", 3600), ("1h", 3600)])
    func `A duration is a number and its unit`(text: String, seconds: Int) throws {
        let yaml = ConfigurationSample.yaml.replacing("{listen:", with: "{idleTimeout: \(text), listen:")
        let configuration = try #require(ConfigurationFile(yaml: Array(yaml.utf8)).configuration)
        #expect(configuration.connections.idle == .seconds(seconds))
    }

    @Test(
        arguments: [
            "10", "\"10\"", "10 s", "10S", "10sec", "1m30s", "1.5m", "1e1s", "-1s", "+1s", "01s", "s", "", "~", "500ms",
            "1d", "0s", "3601s", "2h", "999999h", "99999999999999999999s", "１０s", "10s\u{301}", "[10s]", "{10s: 1}",
        ]
    )
    func `A duration without a unit, or out of range, is a problem that shows the form`(text: String) {
        let problems = ConfigurationSample.problems(replacing: "{listen:", with: "{idleTimeout: \(text), listen:")
        #expect(problems == ["line 2: service.idleTimeout: must be a duration from 1s to 1h, such as 10s."])
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
