import FleetToken
import Metrics
import NIOPosix
import ServiceSupport
import TokenIssuance
import TokenMinting

/// The service's metrics; those of a subject are declared in its folder.
///
/// Names follow Prometheus's conventions: base units, `_total` for counters, `_info` for constants.
final class ServiceMetrics: Sendable {
    let prometheus = PrometheusMetrics(help: MetricHelp.texts)
    /// All responses.
    let http: HTTPMetrics
    /// Requests for tokens.
    let requests: TokenRequestMetrics
    /// Reloads of the configuration and its files.
    let reloads: ReloadMetrics
    /// Whether requests may be sent here.
    let ready: Meter
    /// The wall clock when the page was written.
    let clock: Meter
    /// The keys that there are.
    let keys: SigningKeyMetrics
    /// When issuers' keys were fetched.
    let keySets: KeySetMetrics
    /// When credentials end.
    let credentials: CredentialMetrics
    /// Connections of the public listener.
    let connections: (open: Meter, refused: Counter)
    /// Metrics of the process; nil where the system has none.
    private let process: ProcessMetrics?

    init() {
        let factory = prometheus
        http = HTTPMetrics(factory: factory)
        requests = TokenRequestMetrics(factory: factory)
        reloads = ReloadMetrics(factory: factory)
        ready = Meter(label: "fleet_token_ready", factory: factory)
        clock = Meter(label: "fleet_token_clock_timestamp_seconds", factory: factory)
        keys = SigningKeyMetrics(factory: factory)
        keySets = KeySetMetrics(factory: factory)
        credentials = CredentialMetrics(factory: factory)
        connections = (
            Meter(label: "fleet_token_connections", factory: factory),
            Counter(label: "fleet_token_connections_refused_total", factory: factory)
        )
        process = ProcessMetrics(factory: factory)
        let build = [("version", ProductVersion.current)]
        Meter(label: "fleet_token_build_info", dimensions: build, factory: factory).set(1)
    }

    /// Returns the page for Prometheus, with what is counted elsewhere.
    ///
    /// To count descriptors, and to sort and write thousands of series, takes too long for an event loop.
    func page() -> [UInt8] {
        assert(MultiThreadedEventLoopGroup.currentEventLoop == nil, "The page is written on an event loop.")
        process?.update()
        return prometheus.page()
    }
}
