package import FleetToken

/// An external service that decides whether a caller may have a scope.
package protocol ScopeWebhook: Sendable {
    /// Requests a decision.
    func result(for caller: Caller, _ scope: TokenScope, requestID: String) async -> WebhookResult
}

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
    /// The result in short, without anything that the webhook sent.
    package var description: String {
        switch self {
        case .allowed: "allowed"
        case .denied: "denied"
        case .noDecision(let problem): "invalid response: \(problem)"
        case .noResponse(let problem, _): "no response: \(problem)"
        case .overloaded: "not called: too many concurrent requests; raise its concurrency, or make it faster"
        }
    }
}
