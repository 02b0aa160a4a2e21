import Telemetry

/// Metrics of webhook calls.
package struct WebhookMetrics: Sendable {
    /// The duration of a call; cached results are not recorded.
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
