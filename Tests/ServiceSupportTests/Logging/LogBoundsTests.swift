import Logging
import StrictCoding
import Testing

@testable import ServiceSupport

@Suite("The bounds of a log line")
struct LogBoundsTests {
    private let recorder = LogRecorder()

    /// A control character is one byte of text and six of JSON; then there is a little punctuation.
    private static let longestLine = 16_384 * 6 + 4_096
    private static let tooMuch = Logger.Metadata(
        uniqueKeysWithValues: (0..<10_000).map { ("k\($0)", .string(String(repeating: "\u{1}", count: 4_000))) }
    )

    private func info(_ message: String, _ metadata: Logger.Metadata = [:]) throws -> JSONObject {
        recorder.logger(.json()).info("\(message)", metadata: metadata)
        let line = try #require(recorder.lines.first)
        #expect(line.count <= Self.longestLine)
        return try recorder.object()
    }

    @Test(
        "A text of 4 KiB is whole; a longer one is cut and marked",
        arguments: [(4_096, "", nil), (1_000_000, "<995904 bytes cut>", true)] as [(Int, String, Bool?)]
    )
    func length(count: Int, mark: String, isTruncated: Bool?) throws {
        let object = try info(String(repeating: "x", count: count))
        #expect(object["message"]?.stringValue == String(repeating: "x", count: 4_096) + mark)
        #expect(object["truncated"]?.boolValue == isTruncated)
    }

    @Test("A text is cut between scalars", arguments: 0..<4)
    func scalars(shift: Int) throws {
        let text = String(repeating: "a", count: shift) + String(repeating: "🚚", count: 2_000)
        let message = try #require(try info(text)["message"]?.stringValue)
        let kept = message.prefix { $0 != "<" }
        #expect(text.hasPrefix(kept))
        #expect((4_093...4_096).contains(kept.utf8.count))
    }

    @Test("A line of many texts, or of many empty members, is bounded")
    func members() throws {
        for metadata in [Self.tooMuch, ["k": .array(Array(repeating: [:], count: 100_000))]] {
            let recorder = LogRecorder()
            recorder.logger(.json()).info("m", metadata: metadata)
            let object = try recorder.object()
            #expect(try #require(recorder.lines.first).count <= Self.longestLine)
            #expect(object["truncated"]?.boolValue == true && object["message"]?.stringValue == "m")
        }
    }

    @Test("Metadata inside metadata has at most eight levels", arguments: [8, 9, 1_000])
    func depth(depth: Int) throws {
        var value = Logger.MetadataValue.string("x")
        for _ in 0..<depth - 1 { value = [value] }
        let object = try info("m", ["k": value])
        #expect(object["truncated"]?.boolValue == (depth > 8 ? true : nil))
    }

    @Test("Names that are the same once they are cut or redacted are one member")
    func names() throws {
        let long = String(repeating: "x", count: 5_000)
        let object = try info("m", ["\(long)1": "a", "\(long)2": "b", "ftk_1": "c", "ftk_2": "d"])
        // The reader refuses a name that comes twice.
        #expect(object["truncated"]?.boolValue == true)
        #expect(object["metadata"]?.objectValue?.names.count == 2)
    }

    @Test("A line for people has the same bounds")
    func console() throws {
        recorder.logger(.console()).info("\(String(repeating: "\u{1}", count: 1_000_000))", metadata: Self.tooMuch)
        let line = try recorder.line()
        #expect(line.utf8.count <= Self.longestLine)
        #expect(line.contains("<995904 bytes cut>") && line.hasSuffix(" (truncated)"))
    }
}
