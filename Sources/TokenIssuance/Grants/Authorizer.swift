package import FleetToken

/// Decides whether a caller may have a token.
package protocol Authorizer: AnyObject, Sendable {
    /// Returns the name of the grant that lets the caller have the token.
    ///
    /// - Throws: ``AuthorizationFailure`` if there is none.
    func authorize(
        _ caller: Caller,
        for scope: TokenScope,
        in call: IncomingCall
    ) async throws(AuthorizationFailure) -> String
}
