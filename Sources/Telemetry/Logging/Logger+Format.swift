import FleetToken
package import Logging
import ServiceSupport
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Logger {
    /// Returns the service's logger on standard error: readable lines on a terminal, otherwise JSON.
    ///
    /// - Parameters:
    ///   - level: The least level that is written.
    ///   - isTerminal: Whether standard error is a terminal.
    ///   - environment: The environment variables, for `NO_COLOR`.
    /// - Returns: A logger whose lines hold no token, key or control character.
    package static func service(level: Logger.Level, isTerminal: Bool, environment: [String: String]) -> Logger {
        let format = LogFormat(isTerminal: isTerminal)
        let resource = [
            (name: "service.name", value: "tokend"), ("service.version", ProductVersion.current),
            ("service.instance.id", UUID().uuidString.lowercased()),
        ]
        let writer = LineWriter.standardError
        writer.tellDrops { count in
            let line = Mutex<[UInt8]>([])
            let notice = Logger(
                label: "tokend",
                format: format,
                colour: isTerminal,
                environment: environment,
                resource: resource,
                sink: { bytes in line.withLock { $0 = bytes } }
            )
            notice.warning(
                "Log lines were dropped. The reader of standard error is too slow.",
                metadata: ["count": .stringConvertible(count)]
            )
            return line.withLock { $0 }
        }
        return Logger(
            label: "tokend",
            level: level,
            format: format,
            colour: isTerminal,
            environment: environment,
            resource: resource,
            sink: writer.writeLine
        )
    }

    /// Creates a logger of this service, without `LoggingSystem.bootstrap`.
    ///
    /// - Parameters:
    ///   - label: The label.
    ///   - level: The least level that is written.
    ///   - format: How it is written.
    ///   - colour: Whether the console format should have colours.
    ///   - environment: The environment variables, for `NO_COLOR`.
    ///   - resource: The attributes of the process, for the JSON format.
    ///   - sink: Where the lines go.
    ///   - clock: The time of the lines.
    init(
        label: String,
        level: Logger.Level = .info,
        format: LogFormat,
        colour: Bool = false,
        environment: [String: String] = [:],
        resource: [(name: String, value: String)] = [],
        sink: @escaping LogSink = LineWriter.standardError.writeLine,
        clock: ServiceClock = .system
    ) {
        self.init(label: label) { label in
            switch format {
            case .json:
                JSONLogHandler(label: label, format: JSONLogFormat(resource: resource), sink: sink, clock: clock)
            case .console:
                ConsoleLogHandler(
                    label: label,
                    format: ConsoleLogFormat(colour: colour, environment: environment),
                    sink: sink,
                    clock: clock
                )
            }
        }
        logLevel = level
    }
}

/// How the log is written.
enum LogFormat: String, CaseIterable, Sendable {
    /// For machines: one JSON object a line.
    case json
    /// For people.
    case console

    /// Creates the format that suits the destination, unless one is requested.
    init(isTerminal: Bool) {
        self = isTerminal ? .console : .json
    }
}
