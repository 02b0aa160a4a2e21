package import Logging
import Synchronization

/// The minimum level of the service's loggers, which a reload can change.
package final class LogLevel: Sendable {
    private let stored: Mutex<Logger.Level>

    /// Creates a level.
    package init(_ level: Logger.Level) {
        stored = Mutex(level)
    }

    /// The level now.
    package var value: Logger.Level {
        get { stored.withLock { $0 } }
        set { stored.withLock { $0 = newValue } }
    }
}
