package import FleetToken

/// Decides whether a caller may have a token.
package protocol Authorizer: AnyObject, Sendable {
    /// Returns the name of the grant that lets the caller have the token.
    ///
    /// - Throws: ``Refusal`` if there is none, or if the client has gone before there is a decision.
    func authorize(
        _ caller: Caller,
        for scope: TokenScope,
        in call: IncomingCall
    ) async throws(Refusal) -> String
}
