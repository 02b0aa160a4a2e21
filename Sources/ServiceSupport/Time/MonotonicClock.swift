import Dispatch

/// The system's clock that only goes forward.
package enum MonotonicClock {
    /// Nanoseconds since some time.
    package static func nanoseconds() -> Int64 { Int64(clamping: DispatchTime.now().uptimeNanoseconds) }
}
