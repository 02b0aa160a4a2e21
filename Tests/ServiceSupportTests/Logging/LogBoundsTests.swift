import Logging
import StrictCoding
import Testing

@testable import ServiceSupport

struct LogBoundsTests {
    private let recorder = LogRecorder()

    /// A control character is one byte of text and six of JSON; then there is a little punctuation.
    private static let longestLine = LogBudget.maximumLineLength * 6 + 4 * 1024

    private func info(_ message: String, _ metadata: Logger.Metadata = [:]) throws -> JSONObject {
        recorder.logger(.json()).info("\(message)", metadata: metadata)
        let line = try #require(recorder.lines.first)
        #expect(line.count <= Self.longestLine)
        return try recorder.object()
    }

    @Test func textOfTheGreatestLengthIsWhole() throws {
        let text = String(repeating: "x", count: 4_096)
        let object = try info(text)
        #expect(object["message"]?.stringValue == text)
        #expect(object["truncated"] == nil)
    }

    @Test func longerTextIsCutAndMarked() throws {
        let object = try info(String(repeating: "x", count: 1_000_000))
        #expect(object["message"]?.stringValue == String(repeating: "x", count: 4_096) + "<995904 bytes cut>")
        #expect(object["truncated"]?.boolValue == true)
    }

    @Test(arguments: 0..<4)
    func cutIsBetweenScalars(shift: Int) throws {
        let text = String(repeating: "a", count: shift) + String(repeating: "🚚", count: 2_000)
        let message = try #require(try info(text)["message"]?.stringValue)
        let kept = message.prefix { $0 != "<" }
        #expect(text.hasPrefix(kept))
        #expect((4_093...4_096).contains(kept.utf8.count))
    }

    @Test func lineOfManyTextsIsBounded() throws {
        let value = Logger.MetadataValue.string(String(repeating: "\u{1}", count: 4_000))
        let metadata = Logger.Metadata(uniqueKeysWithValues: (0..<10_000).map { ("k\($0)", value) })
        let object = try info("m", metadata)
        #expect(object["truncated"]?.boolValue == true)
        #expect(object["message"]?.stringValue == "m")
    }

    @Test func lineOfManyEmptyMembersIsBounded() throws {
        let object = try info("m", ["k": .array(Array(repeating: [:], count: 100_000))])
        #expect(object["truncated"]?.boolValue == true)
        #expect(try #require(object["metadata"]?.objectValue?["k"]?.arrayValue).count < 5_000)
    }

    @Test(arguments: [8, 9, 1_000])
    func depthIsBounded(depth: Int) throws {
        var value = Logger.MetadataValue.string("x")
        for _ in 0..<depth - 1 { value = [value] }
        let object = try info("m", ["k": value])
        #expect(object["truncated"]?.boolValue == (depth > LogBudget.maximumDepth ? true : nil))
    }

    @Test func namesThatBecomeTheSameAreOne() throws {
        let long = String(repeating: "x", count: 5_000)
        let object = try info("m", ["\(long)1": "a", "\(long)2": "b", "ftk_1": "c", "ftk_2": "d"])
        // The reader refuses a name that comes twice.
        #expect(object["truncated"]?.boolValue == true)
        #expect(object["metadata"]?.objectValue?.names.count == 2)
    }

    @Test func consoleHasTheSameBounds() throws {
        let value = Logger.MetadataValue.string(String(repeating: "\u{1}", count: 4_000))
        let metadata = Logger.Metadata(uniqueKeysWithValues: (0..<10_000).map { ("k\($0)", value) })
        recorder.logger(.console()).info("\(String(repeating: "\u{1}", count: 1_000_000))", metadata: metadata)
        let line = try recorder.line()
        #expect(line.utf8.count <= Self.longestLine)
        #expect(line.contains("<995904 bytes cut>"))
        #expect(line.hasSuffix(" (truncated)"))
    }
}
