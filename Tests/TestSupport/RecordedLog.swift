package import Logging
import Synchronization

/// A log that tests read.
package final class RecordedLog: Sendable {
    package struct Line: Sendable {
        package let level: Logger.Level
        package let message: String
        package let metadata: [String: String]

        /// All that a reader of the log would see.
        package var text: String { ([message] + metadata.map { "\($0.key)=\($0.value)" }).joined(separator: " ") }
    }

    private struct Handler: LogHandler {
        let recorder: RecordedLog
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let metadata = metadata.merging(event.metadata ?? [:]) { $1 }.mapValues { "\($0)" }
            let line = Line(level: event.level, message: event.message.description, metadata: metadata)
            recorder.recorded.withLock { $0.append(line) }
        }
    }

    /// Creates a log without a line.
    package init() {}

    private let recorded = Mutex<[Line]>([])

    package var lines: [Line] { recorded.withLock { $0 } }

    package var logger: Logger {
        Logger(label: "test") { _ in Handler(recorder: self) }
    }
}
