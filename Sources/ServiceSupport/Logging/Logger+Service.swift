import FleetToken
package import Logging

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Logger {
    /// Returns the service's logger: JSON, with requests on standard output and all else on standard error.
    ///
    /// - Parameter level: The least level that is written, which can change.
    /// - Returns: The logger.
    package static func service(level: LogLevel) -> Logger {
        let resource = [
            ("service.name", "tokend"), ("service.version", ProductVersion.current),
            ("service.instance.id", UUID().uuidString.lowercased()),
        ]
        let handler = LineLogHandler(.json(resource: resource), level: level) { line, isRequest in
            (isRequest ? LineWriter.standardOutput : .standardError).writeLine(line)
        }
        for stream in [LineWriter.standardOutput, .standardError] {
            stream.reportDrops { count in
                handler.line(
                    LogEvent(
                        level: .warning,
                        message: "Log lines were dropped. The reader of this stream is too slow.",
                        metadata: ["count": .stringConvertible(count)],
                        source: nil,
                        file: #fileID,
                        function: #function,
                        line: #line
                    )
                )
            }
        }
        return Logger(label: handler.label) { _ in handler }
    }

    /// Returns the logger of development: lines for people on standard error.
    package static func development(level: LogLevel) -> Logger {
        let handler = LineLogHandler(.plain, level: level) { line, _ in LineWriter.standardError.writeLine(line) }
        return Logger(label: handler.label) { _ in handler }
    }
}
