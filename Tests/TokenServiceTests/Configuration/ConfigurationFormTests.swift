import TestSupport
import Testing

@testable import ServiceSupport
@testable import TokenService

struct ConfigurationFormTests {
    @Test(
        arguments: [
            ("", "The file is empty."),
            ("just text", "line 1: must be a mapping."),
            ("null", "line 1: must be a mapping."),
            (
                "version: 1\nservice: {listen: [::1]:80}",
                "line 2: Invalid YAML at column 20: did not find expected node content while parsing a flow node."
            ),
            (
                "version: 1\n\tkinds: {}",
                "line 2: Invalid YAML at column 1: found a tab character that violates indentation while scanning a plain scalar that begins in line 1."
            ),
            ("version: 1\nlog: {level: info\u{1}}", "line 2: Invalid YAML: control characters are not allowed."),
            ("version: 1\nlog: {level: in\0fo}", "line 2: Invalid YAML: control characters are not allowed."),
        ]
    )
    func `A file that is no configuration is one problem`(yaml: String, problem: String) {
        #expect(ConfigurationSample.problems(yaml) == [problem])
    }

    @Test
    func `A file in another encoding than UTF-8, or larger than 1 MiB, is refused`() {
        let padding = "\n#" + String(repeating: "x", count: 1 << 20)
        #expect(ConfigurationSample.problems(ConfigurationSample.yaml + padding) == ["The file is larger than 1 MiB."])
        #expect(ConfigurationSample.problems([0x76, 0xE9]) == ["The file is not UTF-8."])
        let utf16: [UInt8] =
            [0xFF, 0xFE] + ConfigurationSample.yaml.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        #expect(ConfigurationSample.problems(utf16) == ["The file is not UTF-8."])
    }

    @Test
    func `A byte order mark, CRLF, marks of a document and comments with & and * are no problem`() {
        let sample = ConfigurationSample.yaml
        #expect(ConfigurationFile(yaml: Array(sample.utf8)).configuration != nil)
        let remarks = Array(repeating: "# R&D: 2 * 3, a*b, **bold**, and that &c.\n", count: 20).joined()
        #expect(ConfigurationSample.problems(sample + "\n" + remarks) == [])
        #expect(ConfigurationSample.problems("\u{FEFF}" + sample) == [])
        #expect(
            ConfigurationSample.problems(
                sample.split(separator: "\n").map(String.init).joined(separator: "\r\n") + "\r\n"
            ) == []
        )
        #expect(ConfigurationSample.problems("---\n" + sample + "\n...\n") == [])
    }

    @Test
    func `Lines count alike with LF and CRLF`() {
        let wrong = ConfigurationSample.yaml.split(separator: "\n").map(String.init) + ["log: {level: loud}"]
        for end in ["\n", "\r\n"] {
            let problems = ConfigurationSample.problems(wrong.joined(separator: end))
            #expect(problems.count == 1)
            #expect(problems.first?.hasPrefix("line 13: log.level: must be one of trace") == true)
        }
    }

    @Test(.timeLimit(.minutes(1)), arguments: ["[", "{a: ", "- ", "? "])
    func `Nesting without end is one problem`(opening: String) {
        let problems = ConfigurationSample.problems(String(repeating: opening, count: 100_000))
        #expect(problems.count == 1)
    }

    @Test(.timeLimit(.minutes(1)), arguments: ["x", "? *l30", "[*l30]"])
    func `Aliases of aliases end at the first anchor`(key: String) {
        let laughs = (1...30).map { "l\($0): &l\($0) [*l\($0 - 1), *l\($0 - 1)]\n" }.joined()
        let problems = ConfigurationSample.problems("version: 1\nl0: &l0 [a]\n\(laughs)\nkinds:\n  \(key): a\n")
        #expect(problems.map { $0.hasPrefix("line 2: Anchors (&)") } == [true])
    }

    @Test
    func `A merge key is an unknown setting`() {
        let problems = ConfigurationSample.problems(replacing: "{listen:", with: "{<<: {origins: []}, listen:")
        #expect(problems.count == 1)
        #expect(problems.first?.hasPrefix("line 2: service.<<: is an unknown setting.") == true)
    }
}
