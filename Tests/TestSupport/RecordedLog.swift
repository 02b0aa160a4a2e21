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
            recorder.append(line)
        }
    }

    /// Creates a log without a line.
    package init() {}

    private let recorded = Mutex<(lines: [Line], observers: [AsyncStream<Line>.Continuation])>(([], []))

    package var lines: [Line] { recorded.withLock { $0.lines } }

    private func append(_ line: Line) {
        let observers = recorded.withLock { recorded in
            recorded.lines.append(line)
            return recorded.observers
        }
        for observer in observers { observer.yield(line) }
    }

    /// Returns once a line has been logged that is as it should be.
    package func wait(for condition: (Line) -> Bool) async {
        let (lines, continuation) = AsyncStream<Line>.makeStream()
        let earlier = recorded.withLock { recorded in
            recorded.observers.append(continuation)
            return recorded.lines
        }
        guard !earlier.contains(where: condition) else { return }
        for await line in lines where condition(line) { return }
    }

    package var logger: Logger {
        Logger(label: "test") { _ in Handler(recorder: self) }
    }
}
