/// Authenticates callers.
package protocol Authenticator: Sendable {
    /// Returns the caller of a request.
    ///
    /// - Parameters:
    ///   - call: The request, with the credentials.
    ///   - limits: The limits of the address that the request came from.
    /// - Returns: The caller.
    /// - Throws: ``AuthenticationFailure`` if authentication fails.
    func caller(of call: IncomingCall, limits: CallerLimits) async throws -> Caller
}

/// Accepts every request without authentication: for development, where only this machine can connect.
package struct AnonymousAuthenticator: Authenticator {
    package init() {}

    package func caller(of call: IncomingCall, limits: CallerLimits) -> Caller {
        .anonymous
    }
}
