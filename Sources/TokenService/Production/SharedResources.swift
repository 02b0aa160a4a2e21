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
    let clock: ServiceClock

    /// Creates the resources.
    ///
    /// - Parameters:
    ///   - network: How others are reached.
    ///   - accounts: Reads the accounts' files.
    ///   - signing: How keys in this process sign.
    ///   - processor: The processor that they sign on.
    ///   - threads: The threads that they sign on; nil for one for each processor.
    ///   - logger: Gets the log.
    ///   - clock: The time.
    init(
        network: ProductionNetwork,
        accounts: AccountReader = AccountReader(),
        signing: SigningConfiguration,
        processor: Processor = Processor(),
        threads: SigningThreads? = nil,
        logger: Logger,
        clock: ServiceClock
    ) {
        self.clock = clock
        self.accounts = accounts
        tally = RefusalTally(clock: clock)
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
                clock: clock
            )
        self.network = network
        fetching = KeySetFetching(
            http: network.keySets,
            clock: clock,
            metrics: CallerMetrics(registry: registry, clock: clock),
            logger: logger
        )
        keySets = KeySetCache(fetching)
        self.logger = logger
    }

    /// How keys in this process sign, and why.
    var signingStatus: String { threads.batches.status.text }
}
