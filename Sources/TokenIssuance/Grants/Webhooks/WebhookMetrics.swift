import Telemetry

/// Metrics of webhook calls.
package struct WebhookMetrics: Sendable {
    /// The time that a question took; remembered answers take none and aren't here.
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
    /// It answered, but not with a decision.
    case noDecision = "no_decision"
    /// It didn't answer in time, or not at all.
    case noAnswer = "no_answer"
    /// It was not called, because too many calls were in progress.
    case overloaded

    static let labelName = "result"

    /// Creates the label for a result.
    init(_ answer: WebhookAnswer) {
        self =
            switch answer {
            case .allowed: .allowed
            case .denied: .denied
            case .noDecision: .noDecision
            case .noAnswer: .noAnswer
            case .overloaded: .overloaded
            }
    }
}
