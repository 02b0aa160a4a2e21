import Telemetry

/// What webhooks answer, and how fast.
package struct WebhookMetrics: Sendable {
    /// The time that a question took; remembered answers take none and aren't here.
    let duration: MetricTable<Histogram, WebhookResultLabel>

    /// Declares it in a registry.
    init(registry: PrometheusRegistry) {
        duration = MetricTable(
            "fleet_token_webhook_duration_seconds",
            help: "Time a webhook took to answer, by what it answered.",
            in: registry
        )
        for result in WebhookResultLabel.allCases { _ = duration[result] }
    }
}

/// What a webhook made of a question.
enum WebhookResultLabel: String, MetricLabel {
    case allowed
    case denied
    /// It answered, but not with a decision.
    case noDecision = "no_decision"
    /// It didn't answer in time, or not at all.
    case noAnswer = "no_answer"
    /// It was not asked, since too many questions were under way.
    case overloaded

    static let labelName = "result"

    /// The label for an answer.
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
