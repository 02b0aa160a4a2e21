/// The result of a webhook call; everything except ``allowed`` is a denial.
package enum WebhookResult: Sendable, Hashable {
    /// The caller may have the scope.
    case allowed
    /// The caller may not.
    case denied
    /// The response has no decision, for this reason.
    case noDecision(String)
    /// There is no response, for this reason. A retry may help, after the given seconds if any.
    case noResponse(String, retryAfter: Double? = nil)
    /// It was not called, because too many calls are in progress.
    case overloaded
}

extension WebhookResult: CustomStringConvertible {
    /// The label of its metric.
    var label: WebhookMetrics.Label {
        switch self {
        case .allowed: .allowed
        case .denied: .denied
        case .noDecision: .noDecision
        case .noResponse: .noResponse
        case .overloaded: .overloaded
        }
    }

    /// Whether the webhook is at fault: it did not respond, or not with a decision.
    var isFault: Bool {
        switch self {
        case .noDecision, .noResponse: true
        case .allowed, .denied, .overloaded: false
        }
    }

    /// The result in short, without anything that the webhook sent.
    package var description: String {
        switch self {
        case .allowed: "allowed"
        case .denied: "denied"
        case .noDecision(let problem): "invalid response: \(problem)"
        case .noResponse(let problem, _): "no response: \(problem)"
        case .overloaded: "not called: \(WebhookConfiguration.concurrency) requests wait for it; make it faster"
        }
    }
}
