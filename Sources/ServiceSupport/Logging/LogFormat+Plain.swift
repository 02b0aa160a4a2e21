import FleetToken
import Logging

extension LogFormat {
    /// Returns one line of text, for people: time, level, message, then metadata as `name=value`.
    ///
    /// Characters that could act on a terminal are shown as escapes, so that no text can pass for another line.
    static func plain(_ record: LogRecord) -> [UInt8] {
        var line = "\(record.timestamp) \(record.level.rawValue) \(record.label): \(record.message)"
        if let error = record.error { line += " error=\(OperatorMessage(error))" }
        for attribute in record.attributes {
            if case .dictionary(let members) = attribute.value {
                line += text(of: members)
            } else {
                line += text(of: [attribute.name: attribute.value])
            }
        }
        line += text(of: record.otherMetadata)
        return Array("\(line.harmlessLine)\n".utf8)
    }

    private static func text(of metadata: Logger.Metadata) -> String {
        metadata.sorted { $0.key < $1.key }.map { " \($0.key)=\(text(of: $0.value))" }.joined()
    }

    /// Returns a value as JSON; text without blanks has no quotes.
    private static func text(of value: Logger.MetadataValue) -> String {
        if case .string(let text) = value, !text.isEmpty, text.utf8.allSatisfy(\.isASCIIVisible) { return text }
        var json = JSONWriter()
        json.metadata(value)
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
