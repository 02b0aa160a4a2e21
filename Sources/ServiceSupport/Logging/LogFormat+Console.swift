import Logging
import StrictCoding

extension LogFormat {
    /// Returns one line of text, for people: time, level, logger, message, then metadata as `name=value`.
    ///
    /// Control characters and all others that have no shape of their own are shown as escapes, so that no text can move
    /// the cursor, colour the screen, turn the direction or pass for another line.
    static func console(_ record: LogRecord, hasColour: Bool) -> [UInt8] {
        func paint(_ text: String, _ code: String) -> String {
            hasColour ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
        }
        if let request = request(record) { return Array((request + "\n").utf8) }
        var budget = LogBudget()
        var line = paint(record.timestamp, "2")
        let level = record.level.rawValue
        line += " " + paint(level, Self.colour(of: record.level))
        line += String(repeating: " ", count: Logger.Level.critical.rawValue.utf8.count - level.utf8.count)
        line += " " + budget.fit(record.label).harmlessLine + ": " + budget.fit(record.message).harmlessLine

        var fields = record.attributes + record.otherMetadata
        if let error = record.error { fields.insert(("error", "\(error)"), at: 0) }
        for field in fields {
            guard budget.takesMember(depth: 0) else { break }
            let name = Self.bare(.string(field.name), &budget)
            line += " " + paint("\(name)=", "2") + Self.bare(field.value, &budget)
        }
        if budget.isExceeded { line += " (truncated)" }
        return Array((line + "\n").utf8)
    }

    /// Returns a request in development in short, `12:03:04  200  GET /token/consumer/trip-9  1.1 ms`; nil for other events.
    private static func request(_ record: LogRecord) -> String? {
        let value = { (attribute: RequestAttribute) in record.metadata[attribute].map { "\($0)" } }
        guard let path = value(.path), let method = value(.method), let status = value(.status),
            let seconds = value(.duration).flatMap({ Double($0) })
        else { return nil }
        let tenths = Int((seconds * 10_000).rounded())
        var budget = LogBudget()
        let columns = [
            String(record.timestamp.dropFirst("2026-01-31T".count).prefix("12:03:04".count)), status,
            "\(method) \(budget.fit(path).harmlessLine)", value(.errorType), "\(tenths / 10).\(tenths % 10) ms",
        ]
        return columns.compactMap(\.self).joined(separator: "  ")
    }

    private static func colour(of level: Logger.Level) -> String {
        switch level {
        case .trace, .debug: "2"
        case .info: "32"
        case .notice: "36"
        case .warning: "33"
        case .error, .critical: "31"
        }
    }

    /// Returns a value as JSON, without quotes where they are unnecessary.
    private static func bare(_ value: Logger.MetadataValue, _ budget: inout LogBudget) -> String {
        var json = JSONWriter()
        json.metadata(value, &budget)
        let text = json.bytes.dropFirst().dropLast()
        let isPlainText = json.bytes.first == UInt8(ascii: "\"") && !text.isEmpty && text.allSatisfy(isPlain)
        return String(decoding: isPlainText ? text : json.bytes[...], as: UTF8.self)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "="): false
        default: byte.isASCIIVisible
        }
    }
}
