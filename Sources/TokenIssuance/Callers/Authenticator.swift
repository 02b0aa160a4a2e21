/// Authenticates callers.
package protocol Authenticator: Sendable {
    /// Returns the caller of a request.
    ///
    /// - Throws: ``AuthenticationFailure`` if authentication fails.
    func caller(of call: IncomingCall) async throws(AuthenticationFailure) -> Caller
}
