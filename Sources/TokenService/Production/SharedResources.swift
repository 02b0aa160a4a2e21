import ExpiringCache
import FleetToken
import HTTPServer
import Logging
import ServiceConfiguration
import ServiceSupport
import Telemetry
import TokenIssuance

/// The resources that outlive every reload: counters, connections, issuers' keys (which survive a reload while their
/// issuer is unreachable), and refused PINs.
struct SharedResources: Sendable {
    let registry: PrometheusRegistry
    let metrics: ServiceMetrics
    let network: ProductionNetwork
    let fetching: KeySetFetching
    let keySets: KeySetCache
    let accounts: AccountReader
    let threads: SigningThreads
    /// Refusals that are not on record yet.
    let tally: RefusalTally
    let logger: Logger
    /// A clock that only goes forward, in nanoseconds.
    let monotonic: @Sendable () -> Int64
    let now: @Sendable () -> NumericDate
    /// The clock for everything that ages, with the same wall clock.
    let clock: CacheClock

    /// Creates the resources.
    ///
    /// - Parameters:
    ///   - network: How others are reached.
    ///   - accounts: Reads the accounts' files.
    ///   - signing: How keys in this process sign.
    ///   - processor: The processor that they sign on.
    ///   - threads: The threads that they sign on; nil for one for each processor.
    ///   - logger: Gets the log.
    ///   - monotonic: A clock that only goes forward, in nanoseconds.
    ///   - now: The wall clock.
    init(
        network: ProductionNetwork,
        accounts: AccountReader = AccountReader(),
        signing: SigningConfiguration,
        processor: Processor = Processor(),
        threads: SigningThreads? = nil,
        logger: Logger,
        monotonic: @escaping @Sendable () -> Int64 = MonotonicClock.nanoseconds,
        now: @escaping @Sendable () -> NumericDate
    ) {
        clock = CacheClock(
            continuous: CacheClock.system.continuous,
            wall: { now().seconds &* 1_000_000_000 }
        )
        self.accounts = accounts
        tally = RefusalTally(now: now)
        registry = PrometheusRegistry()
        metrics = ServiceMetrics(registry: registry, version: ProductVersion.current)
        self.threads =
            threads
            ?? SigningThreads(
                count: ServiceThreads.count,
                batches: BatchSigner(
                    signing,
                    processor: processor,
                    metrics: metrics.batches,
                    logger: logger
                ),
                delays: metrics.issuance.signQueue[.local],
                clock: monotonic
            )
        self.network = network
        fetching = KeySetFetching(
            http: network.keySets,
            clock: clock,
            metrics: CallerMetrics(registry: registry, now: now),
            logger: logger
        )
        keySets = KeySetCache(fetching)
        self.logger = logger
        self.monotonic = monotonic
        self.now = now
    }

    /// How keys in this process sign, and why.
    var signingStatus: String { threads.batches.status.text }
}
