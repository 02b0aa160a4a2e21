import Logging
import Testing

@testable import ServiceSupport

struct PlainLogTests {
    private let recorder = WrittenLines()

    @Test
    func `A line has time, level, logger, message and error, then metadata`() throws {
        struct Broken: Error {}
        recorder.logger(.plain, label: "tokend").critical(
            "It's \"up\"",
            error: Broken(),
            metadata: [
                "plain": "a/b:c", "spaced": "a b", "empty": "", "number": "\(1)", "list": ["x", "y z"], "é": "ü",
                RequestAttribute.httpRequest.rawValue: ["status": .stringConvertible(200), "latency": "0.000250s"],
            ]
        )
        let line = try recorder.line()
        #expect(line.hasPrefix("2026-11-20T21:51:00.042Z critical tokend: It's \"up\" error="))
        #expect(
            line.hasSuffix(
                """
                Broken latency=0.000250s status=200 empty="" list=["x","y z"] number=1 plain=a/b:c spaced="a b" é="ü"
                """
            )
        )
    }

    @Test(arguments: HostileText.all)
    func `Hostile text is escaped`(hostile: HostileText) throws {
        recorder.logger(.plain, label: hostile.text).info(
            "\(hostile.text)",
            metadata: [hostile.text: "\(hostile.text)", "nested": [["\(hostile.text)"]]]
        )
        _ = try recorder.line()
        let bytes = try #require(recorder.lines.first)
        #expect(bytes.dropLast().firstRange(of: hostile.harmful) == nil)
        #expect(bytes.dropLast().allSatisfy { $0 >= 0x20 && $0 != 0x7F })
    }

    @Test
    func `An escape names its character`() throws {
        recorder.logger(.plain).info("a\nb\u{1B}[2J\u{202E}")
        #expect(try recorder.line().hasSuffix(#"test: a\u{a}b\u{1b}[2J\u{202e}"#))
    }
}
