typealias FlightID = UInt64
typealias WaiterID = UInt64

/// A fetch that is under way and whose result will count, and those who wait for it.
struct Flight: Sendable {
    let id: FlightID
    /// When it began, or when it began to wait for its turn.
    var origin: Instant
    let reason: FetchReason
    /// Whether it was started because the value of the one before had become too old on its way.
    var isRepeat = false
    /// Whether it waits for its turn, and nothing was asked of the source yet.
    var isQueued = false
    /// How long each waiter needs the value to live, in nanoseconds.
    var waiters: [WaiterID: Int64] = [:]
}
