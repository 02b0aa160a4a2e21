import Logging
import Testing

@testable import ServiceSupport

@Suite("Log lines for people")
struct ConsoleLogHandlerTests {
    private let recorder = LogRecorder()

    @Test("A line has time, level, logger, message and error, then metadata, in quotes where needed")
    func line() throws {
        struct Broken: Error {}
        recorder.logger(.console(), label: "tokend").critical(
            "It's \"up\"",
            error: Broken(),
            metadata: [
                "plain": "a/b:c", "spaced": "a b", "quoted": "a\"b", "empty": "", "equals": "a=b", "number": "\(1)",
                "list": ["x", "y z"], "é": "ü", RequestAttribute.status.rawValue: .stringConvertible(200),
            ]
        )
        #expect(
            try recorder.line() == """
                2026-11-20T21:51:00.042Z critical tokend: It's "up" error=Broken() http.response.status_code=200 \
                empty="" equals="a=b" list=["x","y z"] number=1 plain=a/b:c quoted="a\\"b" spaced="a b" "é"="ü"
                """
        )
    }

    @Test("Colours are around time, level and names")
    func colourLine() throws {
        recorder.logger(.console(hasColour: true)).error("m", metadata: ["k": "v"])
        #expect(
            try recorder.line() == """
                \u{1B}[2m2026-11-20T21:51:00.042Z\u{1B}[0m \u{1B}[31merror\u{1B}[0m    test: m \u{1B}[2mk=\u{1B}[0mv
                """
        )
    }

    @Test("On a terminal the log has colours unless NO_COLOR is not empty", arguments: ["1", "0", "", nil])
    func colours(value: String?) {
        let format = LogFormat(isTerminal: true, environment: value.map { ["NO_COLOR": $0] } ?? [:])
        guard case .console(let hasColour) = format else {
            Issue.record("\(format)")
            return
        }
        #expect(hasColour == (value ?? "").isEmpty)
    }

    @Test("Hostile text is shown as escapes", arguments: HostileText.all)
    func hostileText(hostile: HostileText) throws {
        recorder.logger(.console(), label: hostile.text).info(
            "\(hostile.text)",
            metadata: [hostile.text: "\(hostile.text)", "nested": [["\(hostile.text)"]]]
        )
        _ = try recorder.line()
        let bytes = try #require(recorder.lines.first)
        #expect(bytes.dropLast().firstRange(of: hostile.harmful) == nil)
        #expect(bytes.dropLast().allSatisfy { $0 >= 0x20 && $0 != 0x7F })
    }

    @Test("An escape tells which character was there")
    func escapes() throws {
        recorder.logger(.console()).info("a\nb\u{1B}[2J\u{202E}")
        #expect(try recorder.line().hasSuffix(#"test: a\u{a}b\u{1b}[2J\u{202e}"#))
    }
}
