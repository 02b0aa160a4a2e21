import ExpiringCache
package import FleetToken
import HTTPServer
package import Logging
package import Telemetry
import TokenIssuance

/// The resources that outlive every reload: counters, connections, issuers' keys (which survive a reload while their
/// issuer is unreachable), and refused PINs.
package struct SharedResources: Sendable {
    let registry: PrometheusRegistry
    let metrics: ServiceMetrics
    let network: ProductionNetwork
    let fetching: KeySetFetching
    let keySets: KeySetCache
    let accounts: AccountReader
    let threads: SigningThreads
    /// Refusals that are not on record yet.
    let tally: RefusalTally
    /// Records spans; nil if no tracer is registered.
    let spans: SpanRecorder?
    let logger: Logger
    /// A clock that only goes forward, in nanoseconds.
    let monotonic: @Sendable () -> Int64
    let now: @Sendable () -> NumericDate
    /// The clock for everything that ages, with the same wall clock.
    let clock: CacheClock

    package init(
        network: ProductionNetwork,
        accounts: AccountReader = AccountReader(),
        threads: SigningThreads = SigningThreads(count: ServiceThreads.count),
        spans: SpanRecorder? = nil,
        logger: Logger,
        monotonic: @escaping @Sendable () -> Int64 = MonotonicClock.nanoseconds,
        now: @escaping @Sendable () -> NumericDate
    ) {
        clock = CacheClock(
            continuous: CacheClock.system.continuous,
            wall: { now().seconds &* 1_000_000_000 }
        )
        self.accounts = accounts
        self.threads = threads
        tally = RefusalTally(now: now)
        registry = PrometheusRegistry()
        metrics = ServiceMetrics(registry: registry, version: ProductVersion.current)
        self.network = network
        fetching = KeySetFetching(
            transfer: network.keySets,
            clock: clock,
            metrics: CallerMetrics(registry: registry, now: now),
            logger: logger
        )
        keySets = KeySetCache(fetching)
        self.spans = spans
        self.logger = logger
        self.monotonic = monotonic
        self.now = now
    }
}
