import FleetToken
import Logging

extension LineLogHandler {
    /// Returns one line of text, for people: time, level, message, then metadata as `name=value`.
    ///
    /// Characters that could act on a terminal are shown as escapes, so that no text can pass for another line.
    func plain(_ event: LogEvent) -> [UInt8] {
        var line = "\(Self.timestamp(clock.date)) \(event.level.rawValue) \(label): \(event.message)"
        if let error = event.error { line += " error=\(OperatorMessage(error))" }
        let metadata = event.metadata ?? [:]
        for attribute in metadata.requestAttributes {
            if case .dictionary(let members) = attribute.value {
                line += Self.text(of: members)
            } else {
                line += Self.text(of: [attribute.name: attribute.value])
            }
        }
        line += Self.text(of: metadata.withoutRequestAttributes)
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
