import FleetToken
import Logging
import ServiceSupport
import TokenIssuance
import TokenMinting

/// The resources that outlive every reload: counters, connections, issuers' keys (which survive a reload while their
/// issuer is unreachable), and refused PINs.
struct SharedResources: Sendable {
    let registry: PrometheusRegistry
    let metrics: ServiceMetrics
    let network: ProductionNetwork
    let callers: CallerMetrics
    let fetching: KeySetFetching
    let keySets: KeySetCache
    let tokens: PKCS11Keys
    /// The queue of all keys in this process.
    let signing: SigningQueue
    /// Refusals that are not on record yet.
    let tally: RefusalTally
    let logger: Logger
    let clock: ServiceClock

    /// Creates the resources.
    ///
    /// - Parameters:
    ///   - network: How others are reached.
    ///   - tokens: Opens the keys in PKCS#11 tokens.
    ///   - signingThreads: The number of threads that sign; one for each processor.
    ///   - admission: The bounds of requests that wait.
    ///   - logger: Gets the log.
    ///   - clock: The time.
    init(
        network: ProductionNetwork,
        tokens: PKCS11Keys = PKCS11Keys(),
        signingThreads: Int = ServiceThreads.count,
        admission: AdmissionLimits = AdmissionLimits(),
        logger: Logger,
        clock: ServiceClock
    ) {
        self.clock = clock
        self.tokens = tokens
        tally = RefusalTally(clock: clock)
        registry = PrometheusRegistry()
        metrics = ServiceMetrics(registry: registry, version: ProductVersion.current)
        signing = SigningQueue(
            threads: signingThreads,
            limits: admission,
            metrics: metrics.issuance.signing,
            logger: logger,
            clock: clock
        )
        self.network = network
        callers = CallerMetrics(registry: registry, clock: clock)
        fetching = KeySetFetching(
            http: network.keySets,
            clock: clock,
            metrics: callers.keySets,
            logger: logger
        )
        keySets = KeySetCache(fetching)
        self.logger = logger
    }
}
