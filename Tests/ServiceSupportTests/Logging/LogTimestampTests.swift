import Foundation
import Logging
import Testing

@testable import ServiceSupport

struct LogTimestampTests {
    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000Z"), (1, "1970-01-01T00:00:00.001Z"), (-1, "1969-12-31T23:59:59.999Z"),
        (951_782_399_999, "2000-02-28T23:59:59.999Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
        (1_795_211_460_999, "2026-11-20T21:51:00.999Z"), (4_102_444_800_000, "2100-01-01T00:00:00.000Z"),
    ])
    func timeIsRFC3339InUTCWithMilliseconds(milliseconds: Int, text: String) {
        #expect(record(at: Double(milliseconds) / 1_000).timestamp == text)
    }

    @Test func eachMillisecondIsExact() {
        for millisecond in 0..<1_000 {
            let digits = String(repeating: "0", count: 3 - "\(millisecond)".count) + "\(millisecond)"
            let record = record(at: 1_795_211_460 + Double(millisecond) / 1_000)
            #expect(record.timestamp == "2026-11-20T21:51:00.\(digits)Z")
        }
    }

    private func record(at seconds: Double) -> LogRecord {
        let time = Date(timeIntervalSince1970: seconds)
        return LogRecord(time: time, label: "", level: .info, message: "", metadata: [:])
    }
}
