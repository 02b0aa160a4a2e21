import FleetToken
import Foundation
import Logging
import Synchronization
import TestSupport
import Testing

@testable import ServiceSupport

/// Keeps what is logged, by a clock that stands still.
final class WrittenLines: Sendable {
    private let written = Mutex<[(line: [UInt8], isRequest: Bool)]>([])

    /// 2026-11-20T21:51:00.042Z.
    static let time = Date(timeIntervalSince1970: 1_795_211_460.042)

    var lines: [[UInt8]] { written.withLock { $0.map(\.line) } }
    /// How many lines were about requests.
    var requestCount: Int { written.withLock { $0.count(where: \.isRequest) } }

    func logger(
        _ format: LineLogHandler.Format,
        label: String = "test",
        level: Logger.Level = .trace
    ) -> Logger {
        let clock = TestClock(at: Self.time.timeIntervalSince1970).service
        let handler = LineLogHandler(label: label, format, level: LogLevel(level), clock: clock) { line, isRequest in
            self.written.withLock { $0.append((line, isRequest)) }
        }
        return Logger(label: label) { _ in handler }
    }

    /// The only line, without its line feed.
    func line(sourceLocation: SourceLocation = #_sourceLocation) throws -> String {
        let lines = lines
        #expect(lines.count == 1, sourceLocation: sourceLocation)
        let line = try #require(lines.first, sourceLocation: sourceLocation)
        #expect(
            line.firstIndex(of: 0x0A) == line.count - 1,
            "one line feed, at the end",
            sourceLocation: sourceLocation
        )
        return String(decoding: line.dropLast(), as: UTF8.self)
    }

    /// The only line, read as strictly as a token request.
    func object(sourceLocation: SourceLocation = #_sourceLocation) throws -> JSONObject {
        try JSONParser.parseObject(Array(try line(sourceLocation: sourceLocation).utf8))
    }
}

/// Texts that would do harm if they were shown as they are, and what must not be in a line.
struct HostileText: CustomTestStringConvertible {
    let text: String
    let harmful: [UInt8]

    init(_ text: String, harmful: String) {
        self.text = text
        self.harmful = Array(harmful.utf8)
    }

    var testDescription: String { text.debugDescription }

    static let all = [
        Self("ok\n{\"level\":\"info\",\"message\":\"forged\"}", harmful: "\n{"),
        Self("ok\r\nforged", harmful: "\r"),
        Self("ok\rforged", harmful: "\r"),
        Self("a\u{1B}[2J\u{1B}[31mred", harmful: "\u{1B}"),
        Self("a\u{1B}]0;title\u{07}", harmful: "\u{07}"),
        Self("a\u{9B}31m", harmful: "\u{9B}"),
        Self("a\u{0}b", harmful: "\u{0}"),
        Self("a\u{8}\u{8}b", harmful: "\u{8}"),
        Self("a\u{7F}b", harmful: "\u{7F}"),
        Self("a\u{85}b", harmful: "\u{85}"),
        Self("a\u{202E}gnp.exe", harmful: "\u{202E}"),
        Self("a\u{2066}b\u{2069}", harmful: "\u{2066}"),
        Self("a\u{200B}b", harmful: "\u{200B}"),
        Self("a\u{FEFF}b", harmful: "\u{FEFF}"),
        Self("a\u{2028}forged", harmful: "\u{2028}"),
        Self("a\u{2029}forged", harmful: "\u{2029}"),
        Self("a\u{E000}b", harmful: "\u{E000}"),
        Self("a\u{E0041}b", harmful: "\u{E0041}"),
        Self("e\u{301}\r\u{301}", harmful: "\r"),
    ]
}
