import FleetToken
import Logging

extension LineLogHandler {
    /// Returns one JSON object, for machines.
    ///
    /// `time`, `severity` and `message` are as Google Cloud and others read them. The process's attributes follow, `error`, a request's
    /// attributes, and all other metadata in `metadata`: no metadata can pass for another member.
    func json(_ event: LogEvent, _ resource: [(name: String, value: String)]) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("time", Self.timestamp(clock.date))
            json.member("severity", Self.severity(event.level))
            json.member("logger", label)
            json.member("message", Self.bounded(event.message.description))
            for attribute in resource {
                json.name(text: attribute.name)
                json.string(attribute.value)
            }
            if let error = event.error { json.member("error", Self.bounded(OperatorMessage(error).description)) }
            let metadata = event.metadata ?? [:]
            for attribute in metadata.requestAttributes {
                json.name(text: attribute.name)
                json.metadata(attribute.value)
            }
            let others = metadata.withoutRequestAttributes
            if !others.isEmpty {
                json.name("metadata")
                json.metadata(.dictionary(others))
            }
        }
        return json.bytes + [UInt8(ascii: "\n")]
    }

    /// Returns a level as Google Cloud names it.
    private static func severity(_ level: Logger.Level) -> String {
        switch level {
        case .trace, .debug: "DEBUG"
        case .info: "INFO"
        case .notice: "NOTICE"
        case .warning: "WARNING"
        case .error: "ERROR"
        case .critical: "CRITICAL"
        }
    }

    /// Returns a text, cut off after 4 KiB.
    fileprivate static func bounded(_ text: String) -> String {
        text.utf8.count <= 4096 ? text : String(decoding: text.utf8.prefix(4096), as: UTF8.self) + "…"
    }
}

extension JSONWriter {
    /// Writes metadata: objects and arrays as such, numbers and Booleans too, all else as text.
    mutating func metadata(_ value: Logger.MetadataValue) {
        switch value {
        case .string(let text): string(LineLogHandler.bounded(text))
        case .stringConvertible(let value as Bool): bool(value)
        case .stringConvertible(let value as any BinaryInteger): self.value(.decimal(value.description))
        case .stringConvertible(let value as Double) where value.isFinite: self.value(.decimal(value.description))
        case .stringConvertible(let value): string(LineLogHandler.bounded(value.description))
        case .array(let elements):
            array { json in
                for element in elements { json.metadata(element) }
            }
        case .dictionary(let members):
            object { json in
                for member in members.sorted(by: { $0.key < $1.key }) {
                    json.name(text: member.key)
                    json.metadata(member.value)
                }
            }
        }
    }
}
