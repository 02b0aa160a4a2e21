package import FleetToken

/// Asks an external service whether a caller may have a scope.
package protocol ScopeWebhook: Sendable {
    /// Requests a decision.
    func answer(_ caller: Caller, _ scope: TokenScope, requestID: String) async -> WebhookAnswer
}

/// The result of a webhook call; everything except ``allowed`` is a denial.
package enum WebhookAnswer: Sendable, Hashable {
    /// The caller may have the scope.
    case allowed
    /// The caller may not.
    case denied
    /// It responded, but without a decision, for this reason.
    case noDecision(String)
    /// It did not respond, for this reason. A retry may help, after the given seconds if any.
    case noAnswer(String, retryAfter: Double? = nil)
    /// It was not called, because too many calls are in progress.
    case overloaded
}

extension WebhookAnswer: CustomStringConvertible {
    /// The result in short, without anything that the webhook sent.
    package var description: String {
        switch self {
        case .allowed: "allowed"
        case .denied: "denied"
        case .noDecision(let problem): "invalid response: \(problem)"
        case .noAnswer(let problem, _): "no response: \(problem)"
        case .overloaded: "not called: too many concurrent requests; raise its concurrency, or make it faster"
        }
    }
}
