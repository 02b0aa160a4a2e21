/// Why there is no grant for a request.
package enum AuthorizationFailure: Error {
    /// No grant allows the request, or a webhook that would decide is unavailable.
    case denied(GrantDecision)
    /// The client closed the connection before there was a decision.
    case abandoned
}
