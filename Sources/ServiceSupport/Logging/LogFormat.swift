import FleetToken

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// How log lines are written, each with a line feed only at its end.
enum LogFormat: Sendable {
    /// For machines: one JSON object a line, with these attributes of the process in OpenTelemetry's conventions.
    case json(resource: [(name: String, value: String)] = [])
    /// For people, in development.
    case plain

    /// Returns JSON with the attributes of a process that starts now.
    static func service() -> LogFormat {
        .json(resource: [
            ("service.name", "tokend"), ("service.version", ProductVersion.current),
            ("service.instance.id", UUID().uuidString.lowercased()),
        ])
    }

    func line(_ record: LogRecord) -> [UInt8] {
        switch self {
        case .json(let resource): Self.json(record, resource)
        case .plain: Self.plain(record)
        }
    }
}
