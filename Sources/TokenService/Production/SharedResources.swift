import FleetToken
import Logging
import ServiceSupport
import TokenIssuance
import TokenMinting

/// The resources that outlive every reload: counters, connections, issuers' keys (which survive a reload while their
/// issuer is unreachable), and refused PINs.
struct SharedResources: Sendable {
    let metrics = ServiceMetrics()
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
    ///   - logger: Gets the log.
    ///   - clock: The time.
    init(
        network: ProductionNetwork,
        tokens: PKCS11Keys = PKCS11Keys(),
        logger: Logger,
        clock: ServiceClock
    ) {
        self.clock = clock
        self.tokens = tokens
        tally = RefusalTally(clock: clock)
        signing = SigningQueue(
            threads: ServiceThreads.count,
            metrics: metrics.issuance.signing,
            logger: logger,
            clock: clock
        )
        self.network = network
        callers = CallerMetrics(registry: metrics.registry)
        fetching = KeySetFetching(
            http: network.keySets,
            clock: clock,
            metrics: KeySetMetrics(registry: metrics.registry, clock: clock),
            logger: logger
        )
        keySets = KeySetCache(fetching)
        self.logger = logger
    }
}
