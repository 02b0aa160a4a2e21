import FleetToken
import Logging
import ServiceSupport
import TokenIssuance
import TokenMinting

/// The resources that outlive every reload: counters, connections, and issuers' keys, which survive a reload while
/// their issuer is unreachable.
struct SharedResources: Sendable {
    let metrics = ServiceMetrics()
    let lifecycle = Lifecycle()
    let reloads = ReloadStatus()
    let network: ProductionNetwork
    let fetching: KeySetFetching
    let keySets: SharedKeySets
    let signing: SigningGates
    let logger: Logger
    let clock: ServiceClock

    init(network: ProductionNetwork, logger: Logger, clock: ServiceClock) {
        (self.network, self.logger, self.clock) = (network, logger, clock)
        signing = SigningGates(metrics: metrics.prometheus, clock: clock)
        fetching = KeySetFetching(http: network.keySets, clock: clock, logger: logger)
        keySets = SharedKeySets(fetching)
    }

    /// Records responses that no page may read, and neither addresses nor callers.
    var recorder: ResponseRecorder { ResponseRecorder(clock: clock, metrics: metrics, logger: logger) }
}
