package import Logging

extension Logger {
    /// A logger whose lines no test reads.
    package static var silent: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }
}
