package import FleetToken
package import ServiceSupport
import Timing
package import TokenMinting

/// A service of the operator's that decides whether a caller may have a scope.
///
/// It receives a signed request with the caller and the scope, and must respond with `{"allow": true}` and status 200.
/// Anything else is a denial. No response is cached, so that a revoked permission counts at once.
package struct AuthorizationWebhook: ScopeWebhook {
    /// How long a response takes until it is measured, in nanoseconds.
    private static let usualDuration: Int64 = 50_000_000

    private let claims: [String]
    private let exchange: WebhookExchange

    /// Creates a webhook.
    ///
    /// - Parameters:
    ///   - configuration: Its settings.
    ///   - limits: The limits of the queue in front of it.
    ///   - secret: The content of its secret file.
    ///   - http: Sends its requests.
    ///   - metrics: Metrics of its results; nil for none.
    ///   - clock: The time that requests are signed with.
    /// - Throws: ``ConfigurationError`` if its URL or secret is invalid.
    package init(
        _ configuration: WebhookConfiguration,
        limits: AdmissionLimits = AdmissionLimits(),
        secret: Secret,
        http: any OutgoingHTTP,
        metrics: WebhookMetrics? = nil,
        clock: ServiceClock
    ) throws(ConfigurationError) {
        claims = configuration.claims
        exchange = WebhookExchange(
            url: try WebhookURL(configuration.url),
            signature: try WebhookSignature(secret: secret),
            timeout: .milliseconds(configuration.timeout),
            admission: Admission(
                parallel: Int(configuration.concurrency),
                duration: Self.usualDuration,
                sharesSlots: true,
                clock: clock
            ),
            limits: limits,
            http: http,
            metrics: metrics,
            clock: clock
        )
    }

    package func result(for caller: Caller, _ scope: TokenScope, requestID: String) async -> WebhookResult {
        await exchange.result(of: WebhookRequest(caller, scope, claims: claims, requestID: requestID))
    }
}

/// Metrics of webhook calls.
package struct WebhookMetrics: Sendable {
    /// The duration of a call.
    let duration: MetricTable<Histogram, WebhookResultLabel>

    /// Creates the metrics and declares them in a registry.
    init(registry: PrometheusRegistry) {
        duration = MetricTable(
            "fleet_token_webhook_duration_seconds",
            help: "Duration of webhook calls, by result.",
            in: registry
        )
        for result in WebhookResultLabel.allCases { _ = duration[result] }
    }
}

/// The result of a webhook call.
enum WebhookResultLabel: String, MetricLabel {
    case allowed
    case denied
    /// The response has no decision.
    case noDecision = "no_decision"
    /// There is no response, or none in time.
    case noResponse = "no_answer"
    /// It was not called, because too many calls were in progress.
    case overloaded

    static let labelName = "result"

    /// Creates the label for a result.
    init(_ result: WebhookResult) {
        self =
            switch result {
            case .allowed: .allowed
            case .denied: .denied
            case .noDecision: .noDecision
            case .noResponse: .noResponse
            case .overloaded: .overloaded
            }
    }
}
