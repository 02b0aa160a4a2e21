import TestSupport
import Testing

/// Values that YAML, or a hasty reader, takes for something else.
struct ConfigurationTypeTests {
    @Test(arguments: [
        "yes", "no", "on", "off", "Yes", "NO", "True", "TRUE", "False", "y", "n", "1", "0", "~", "null", "\"true\"",
        "''",
        "[true]", "{a: true}", "!!bool yes", "!!str true",
    ])
    func onlyTrueAndFalseAreBoolean(text: String) {
        let problems = ConfigurationSample.problems(replacing: "{listen:", with: "{behindTLSProxy: \(text), listen:")
        #expect(problems == ["line 2: service.behindTLSProxy: must be true or false."])
    }

    @Test(arguments: [
        "010", "0o10", "0x10", "0b1", "1_0", "+10", "-0", "1:30", "10.0", "1e1", ".inf", ".nan", "\"10\"", "ten", "~",
        "",
        "99999999999999999999", "0", "3601", "-1", "[10]", "!!str 10", "!!float 10", "!!timestamp 10", "１０",
    ])
    func onlyDecimalNumbersInRangeAreNumbers(text: String) {
        let problems = ConfigurationSample.problems(ConfigurationSample.yaml + "\nlimits: {idleSeconds: \(text)}")
        let advice = ["\"10\"", "!!str 10"].contains(text) ? " Write 10, without quotes." : ""
        #expect(problems == ["line 13: limits.idleSeconds: must be an integer from 1 to 3600.\(advice)"])
    }

    @Test(arguments: [
        "yes", "No", "on", "OFF", "true", "False", "12", "012", "0x1F", "1_000", "12:30:45", "1.5", "6e7", ".inf",
        ".NaN",
        "~", "null", "NULL", "2026-01-31", "2026-01-31T00:00:00Z", "=", "!custom text", "!!binary aGk=", "[a]",
        "{a: b}",
        "\"\"",
    ])
    func whatMayBeSomethingElseIsNoText(text: String) {
        let problems = ConfigurationSample.problems(replacing: "my-project", with: text)
        #expect(
            problems == [
                "line 6: callers.app.firebase.project: must be text; quote numbers, dates and words such as yes."
            ]
        )
    }

    @Test(arguments: ["'yes'", "\"012\"", "!!str 12", "\"~\"", "\"2026-01-31\"", "plain text", "a:b"])
    func quotesMakeText(text: String) {
        #expect(ConfigurationSample.problems(replacing: "my-project", with: text) == [])
    }

    /// A condition on the text "yes" where the claim is a Boolean would never be met, or be met by the wrong claim.
    @Test(arguments: ["yes", "On", "1.5", "012", "~", "[a]", "2026-01-31", "!x y"])
    func aClaimHasToHaveAPlainValue(text: String) {
        let problems = ConfigurationSample.problems(replacing: "[app]", with: "[app]\n    claims: {role: \(text)}")
        #expect(
            problems == [
                "line 11: grants.own.claims.role: must be text, an integer, true or false; quote anything else."
            ]
        )
    }

    @Test(arguments: ["!!set {a, b}", "!!omap [a: b]", "!map {a: b}"])
    func aTaggedCollectionIsNoMapping(text: String) {
        #expect(
            ConfigurationSample.problems(replacing: "{serviceAccount: driver.json}", with: text) == [
                "line 4: kinds.driver: must be a mapping."
            ]
        )
    }

    @Test(arguments: ["text", "{a: b}", "!seq [app]", "~", "true"])
    func aListIsNeeded(text: String) {
        #expect(
            ConfigurationSample.problems(replacing: "[app]", with: text).first
                == "line 10: grants.own.callers: must be a list."
        )
    }
}
