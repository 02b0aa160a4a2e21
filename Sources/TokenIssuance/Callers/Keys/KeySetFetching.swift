package import ExpiringCache
package import Logging

/// The dependencies for fetching key sets.
package struct KeySetFetching: Sendable {
    /// How they come over the network.
    var transfer: KeySetTransfer
    /// Whether they may come from this machine by http, for tests.
    var allowsLoopback = false
    /// Tells their age.
    var clock = CacheClock.system
    /// Ends fetches that time out.
    var scheduler = CacheScheduler.system
    /// Metrics of the fetches; nil for none.
    var metrics: CallerMetrics?
    /// Logs failed fetches.
    var logger: Logger

    /// Creates the means of fetching key sets.
    package init(
        transfer: @escaping KeySetTransfer,
        allowsLoopback: Bool = false,
        clock: CacheClock = .system,
        scheduler: CacheScheduler = .system,
        metrics: CallerMetrics? = nil,
        logger: Logger
    ) {
        self.transfer = transfer
        self.allowsLoopback = allowsLoopback
        self.clock = clock
        self.scheduler = scheduler
        self.metrics = metrics
        self.logger = logger
    }
}
