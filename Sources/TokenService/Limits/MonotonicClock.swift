import Dispatch

/// The system's clock that only goes forward.
enum MonotonicClock {
    /// Nanoseconds since some time.
    static func nanoseconds() -> Int64 { Int64(clamping: DispatchTime.now().uptimeNanoseconds) }
}
