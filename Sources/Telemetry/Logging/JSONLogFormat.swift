import Logging
import StrictCoding

/// One JSON object a line, for machines.
///
/// `ts`, `level`, `logger` and `message` come first, then `error`, a request's attributes, and all other metadata in
/// `metadata`: no metadata can pass for another member. `truncated` is there, and true, if something was left out.
struct JSONLogFormat: LogLineFormat {
    /// The attributes of the process in OpenTelemetry's conventions, such as `service.name`; they follow `message`.
    var resource: [(name: String, value: String)] = []

    func line(_ record: LogRecord) -> [UInt8] {
        var budget = LogBudget()
        var json = JSONWriter()
        json.object { json in
            json.member("ts", record.timestamp)
            json.member("level", record.level.rawValue)
            json.member("logger", budget.fit(record.label))
            json.member("message", budget.fit(record.message))
            for attribute in resource {
                json.name(text: attribute.name)
                json.string(attribute.value)
            }
            if let error = record.error {
                json.name("error")
                json.object { json in
                    json.member("type", budget.fit(String(reflecting: type(of: error))))
                    json.member("message", budget.fit(String(describing: error)))
                }
            }
            for attribute in record.attributes {
                json.name(text: attribute.name)
                json.metadata(attribute.value, &budget)
            }
            let metadata = record.otherMetadata
            if !metadata.isEmpty {
                json.name("metadata")
                json.members(metadata, &budget)
            }
            if budget.isExceeded {
                json.member("truncated", true)
            }
        }
        return json.bytes + [UInt8(ascii: "\n")]
    }
}

/// Writes each event as one JSON object.
typealias JSONLogHandler = LineLogHandler<JSONLogFormat>
