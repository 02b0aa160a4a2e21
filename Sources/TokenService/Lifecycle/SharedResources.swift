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
    /// Reaches others: issuers for their keys, webhooks, and Google for signatures.
    let http: any OutgoingHTTP
    let google: GoogleClient
    let fetching: KeySetFetching
    let keySets: SharedKeySets
    let signing: SigningGates
    let logger: Logger
    let clock: ServiceClock

    init(
        http: any OutgoingHTTP = NoNetwork(),
        google addresses: GoogleAddresses = .google,
        logger: Logger,
        clock: ServiceClock
    ) {
        (self.http, self.logger, self.clock) = (http, logger, clock)
        google = GoogleClient(http: http, addresses: addresses, clock: clock)
        signing = SigningGates(metrics: metrics.prometheus, clock: clock)
        fetching = KeySetFetching(http: http, clock: clock, logger: logger)
        keySets = SharedKeySets(fetching)
    }

    /// Records responses that no page may read, and neither addresses nor callers.
    var recorder: ResponseRecorder { ResponseRecorder(clock: clock, metrics: metrics, logger: logger) }
}
