/// What runs something later: the timeouts of fetches and of callers.
public struct CacheScheduler: Sendable {
    /// Runs the action once, after this many seconds, unless the returned function was called first.
    ///
    /// It must not run the action before it returns, but may as soon as it has.
    public let schedule: @Sendable (Seconds, @escaping @Sendable () -> Void) -> @Sendable () -> Void

    /// Makes a scheduler from a function that returns how to cancel.
    public init(
        _ schedule: @escaping @Sendable (Seconds, @escaping @Sendable () -> Void) -> @Sendable () -> Void
    ) {
        self.schedule = schedule
    }
}

extension CacheScheduler {
    /// Timeouts by the system's continuous clock, all of the process in one queue.
    public static let system = {
        let deadlines = Deadlines(now: CacheClock.system.continuous)
        return CacheScheduler { deadlines.schedule($0, $1) }
    }()
}
