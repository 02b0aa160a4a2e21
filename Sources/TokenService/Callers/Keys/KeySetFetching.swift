import ExpiringCache
import Logging

/// What fetching key sets takes from the world around.
struct KeySetFetching: Sendable {
    /// How they come over the network.
    var transfer: KeySetTransfer
    /// Whether they may come from this machine by http, for tests.
    var allowsLoopback = false
    /// Tells their age.
    var clock = CacheClock.system
    /// Ends fetches that take too long.
    var scheduler = CacheScheduler.system
    /// Count how it goes; nil where nobody wants to know.
    var metrics: CallerMetrics?
    /// Learns why they cannot be had.
    var logger: Logger
}
