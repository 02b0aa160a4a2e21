typealias FlightID = UInt64
typealias WaiterID = UInt64

/// A running or queued fetch whose result will count, and its waiters.
struct Flight: Sendable {
    let id: FlightID
    /// When it started, or when it was queued.
    var origin: Instant
    let reason: FetchReason
    /// Whether it was started because the previous value became too old in transit.
    var isRepeat = false
    /// Whether it is queued, so that no request was sent to the source yet.
    var isQueued = false
    /// The remaining lifetime that each waiter requires, in nanoseconds.
    var waiters: [WaiterID: Int64] = [:]
}
