import Metrics

/// The duration of calls of a webhook, by their result.
struct WebhookMetrics {
    /// The label for a ``WebhookResult``.
    enum Label: String, CaseIterable {
        case allowed
        case denied
        case noDecision = "no_decision"
        case noResponse = "no_response"
        case overloaded
    }

    private let durations: [Label: Timer]

    /// Creates the metrics of a webhook, by its name in the configuration.
    init(_ webhook: String, factory: any MetricsFactory) {
        let durations = Label.allCases.map { result in
            let labels = [("webhook", webhook), ("result", result.rawValue)]
            return (result, Timer(label: "fleet_token_webhook_duration_seconds", dimensions: labels, factory: factory))
        }
        self.durations = Dictionary(uniqueKeysWithValues: durations)
    }

    func record(_ result: WebhookResult, after duration: Duration) {
        durations[result.label]?.record(duration: duration)
    }
}
