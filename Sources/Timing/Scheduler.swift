/// Runs actions later: the timeouts of fetches and callers.
public struct Scheduler: Sendable {
    /// Runs the action once, after this many seconds, unless the returned function is called first.
    ///
    /// It must not run the action before it returns, but may do so immediately afterwards.
    public let schedule: @Sendable (Seconds, @escaping @Sendable () -> Void) -> @Sendable () -> Void

    /// Creates a scheduler from a function that returns a cancellation function.
    public init(
        _ schedule: @escaping @Sendable (Seconds, @escaping @Sendable () -> Void) -> @Sendable () -> Void
    ) {
        self.schedule = schedule
    }
}

extension Scheduler {
    /// Timeouts on the system's continuous clock, with one queue for the process.
    public static let system = {
        let deadlines = Deadlines(now: AgeClock.system.continuous)
        return Scheduler { deadlines.schedule($0, $1) }
    }()
}
