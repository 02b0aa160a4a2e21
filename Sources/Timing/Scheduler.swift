/// A time span in seconds, like Foundation's `TimeInterval`.
///
/// As a parameter, a negative number and not-a-number count as zero, and `.infinity` means no limit.
public typealias Seconds = Double

extension Int64 {
    /// About 36 years in nanoseconds: longer than any value is kept, and safe to add to any clock's reading.
    public static let longestSpan: Int64 = 1 << 60

    /// Creates a time span in nanoseconds, between zero and ``longestSpan``.
    @inlinable
    public init(nanosecondsIn seconds: Seconds) {
        let nanoseconds = seconds * 1e9
        // Not-a-number is not greater than zero.
        guard nanoseconds > 0 else {
            self = 0
            return
        }
        self = nanoseconds < Double(Self.longestSpan) ? Int64(nanoseconds) : Self.longestSpan
    }

    /// This many nanoseconds, in seconds.
    public var seconds: Seconds { Double(self) / 1e9 }
}

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

    /// Timeouts on the system's continuous clock, with one queue for the process.
    public static let system = {
        let deadlines = Deadlines(now: AgeClock.system.continuous)
        return Scheduler { deadlines.schedule($0, $1) }
    }()
}
