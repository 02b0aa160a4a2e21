import FleetToken
package import Logging

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// How log lines are written, each with a line feed only at its end.
enum LogFormat: Sendable {
    /// For machines: one JSON object a line, with these attributes of the process in OpenTelemetry's conventions.
    case json(resource: [(name: String, value: String)] = [])
    /// For people.
    case console(hasColour: Bool = false)

    /// Creates the format of the service's log.
    ///
    /// - Parameters:
    ///   - isTerminal: Whether the log goes to a terminal.
    ///   - environment: The environment variables. `NO_COLOR`, if it is not empty, forbids colours (no-color.org).
    init(isTerminal: Bool, environment: [String: String]) {
        self =
            isTerminal
            ? .console(hasColour: (environment["NO_COLOR"] ?? "").isEmpty)
            : .json(resource: [
                ("service.name", "tokend"), ("service.version", ProductVersion.current),
                ("service.instance.id", UUID().uuidString.lowercased()),
            ])
    }

    func line(_ record: LogRecord) -> [UInt8] {
        switch self {
        case .json(let resource): Self.json(record, resource)
        case .console(let hasColour): Self.console(record, hasColour: hasColour)
        }
    }
}

extension Logger {
    /// Returns the service's logger on standard error: readable lines on a terminal, otherwise JSON.
    ///
    /// - Parameters:
    ///   - level: The least level that is written.
    ///   - isTerminal: Whether standard error is a terminal.
    ///   - environment: The environment variables, for `NO_COLOR`.
    /// - Returns: A logger whose lines hold no token, key or control character.
    package static func service(level: Logger.Level, isTerminal: Bool, environment: [String: String]) -> Logger {
        let format = LogFormat(isTerminal: isTerminal, environment: environment)
        LineWriter.standardError.reportDrops { count in
            format.line(
                LogRecord(
                    time: ServiceClock.system.date,
                    label: "tokend",
                    level: .warning,
                    message: "Log lines were dropped. The reader of standard error is too slow.",
                    metadata: ["count": .stringConvertible(count)]
                )
            )
        }
        return Logger(label: "tokend", level: level, format: format, sink: LineWriter.standardError.writeLine)
    }

    /// Creates a logger of this service, without `LoggingSystem.bootstrap`.
    init(
        label: String,
        level: Logger.Level,
        format: LogFormat,
        sink: @escaping @Sendable (_ line: [UInt8]) -> Void,
        clock: ServiceClock = .system
    ) {
        self.init(label: label) { LineLogHandler(label: $0, format: format, sink: sink, clock: clock) }
        logLevel = level
    }
}
