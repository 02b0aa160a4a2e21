import Testing

@testable import ServiceConfiguration

/// The types of YAML 1.1, so that what another parser reads as a number, a date or a Boolean must be quoted here.
@Suite struct YAMLScalarTypeTests {
    @Test(
        "A scalar without quotes has one type",
        arguments: [
            (
                YAMLScalarType.bool,
                ["yes", "Yes", "YES", "no", "No", "NO", "true", "True", "TRUE", "false", "on", "Off", "OFF"]
            ),
            (
                .integer,
                [
                    "0", "1", "-1", "+1", "007", "0o17", "0b101", "0x1F", "-0xff", "1_000", "12:30:45", "1:5", "+9:59",
                    "0_7", "0b_", "9223372036854775808",
                ]
            ),
            (
                .other,
                [
                    "", "~", "null", "Null", "NULL", "<<", "=", "1.5", "1.", ".5", "._", "-1.5e+3", "1e3", "1E-3", "09",
                    "08_1",
                    "1:30.5", ".inf", "-.Inf", "+.INF", ".nan", ".NaN", "0.", "00.1",
                ]
            ),
            (
                .timestamp,
                [
                    "2026-01-31", "2026-1-3T1:02:03", "2026-01-31T10:00:00Z", "2026-01-31t10:00:00.5+01:00",
                    "2026-01-31 10:00:00", "2026-01-31 \t10:00:00 -5", "2026-01-31T10:00:00. Z", "9999-99-99",
                ]
            ),
            (
                .text,
                [
                    "a", "yEs", "y", "n", "nUll", "tru", "truee", "1a", "0x", "0xg", "0b2x", "0o", "0o8", "1:60",
                    "1:5:", "-",
                    "+", ".", "..5", "-.5", "+.nan", ".inf5", "1e", "1e+", ".5e3", "1.5.5", "_1", "2026-01", "2026-1-3",
                    "2026-01-31T", "2026-01-31T1:2:3", "2026-01-31T10:00:00+1:0", "2026-01-31T10:00:00ZZ", "26-01-31",
                    "<", "==",
                    "v-[0-9]+", "127.0.0.1", "1.2.3", "10.0.0.0/8", "a:b", "\u{661}", "１", "1\u{301}",
                ]
            ),
        ]
    )
    func types(type: YAMLScalarType, texts: [String]) {
        for text in texts { #expect(YAMLScalarType(plain: text) == type, "\(text)") }
    }
}
