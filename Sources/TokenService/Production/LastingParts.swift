import FleetToken
import Logging

/// What is made once and outlives every reload: counts, connections, and issuers' keys, which then survive a reload
/// while their issuer is out of reach.
struct LastingParts: Sendable {
    let registry: PrometheusRegistry
    let metrics: ServiceMetrics
    let network: ProductionNetwork
    let fetching: KeySetFetching
    let keySets: KeySetCache
    let logger: Logger
    let now: @Sendable () -> NumericDate

    init(network: ProductionNetwork, logger: Logger, now: @escaping @Sendable () -> NumericDate) {
        registry = PrometheusRegistry()
        metrics = ServiceMetrics(registry: registry, version: TokenService.version)
        self.network = network
        fetching = KeySetFetching(transfer: network.keySets, logger: logger)
        keySets = KeySetCache(fetching)
        self.logger = logger
        self.now = now
    }
}
