package import FleetToken

/// Decides from elsewhere whether a caller may have a scope.
package protocol ScopeWebhook: Sendable {
    /// Asks for a decision.
    func answer(_ caller: Caller, _ scope: TokenScope, requestID: String) async -> WebhookAnswer
}

/// What a webhook made of a question; all but ``allowed`` is a denial.
package enum WebhookAnswer: Sendable, Hashable {
    /// The caller may have the scope.
    case allowed
    /// The caller may not.
    case denied
    /// It answered, but what it said is no decision; why.
    case noDecision(String)
    /// It didn't answer; why. Asking again may help, after so many seconds where it said so.
    case noAnswer(String, retryAfter: Double? = nil)
    /// It was not asked, since as many questions are under way as it may have.
    case overloaded
}

extension WebhookAnswer: CustomStringConvertible {
    /// The answer in a few words, without anything that the webhook sent.
    package var description: String {
        switch self {
        case .allowed: "it allows the request"
        case .denied: "it denies the request"
        case .noDecision(let problem): "its answer is no decision: \(problem)"
        case .noAnswer(let problem, _): "it does not answer: \(problem)"
        case .overloaded: "it was not asked: too many questions are under way; raise its concurrency, or make it faster"
        }
    }
}
