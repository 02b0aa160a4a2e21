import FleetToken
package import HTTPTypes

/// Finds out who asks, or refuses.
package protocol Authenticator: Sendable {
    /// The caller of a request.
    ///
    /// - Parameters:
    ///   - request: The request's head.
    ///   - certificateNames: The names in the client certificate's SAN, if TLS asked for one and it is valid.
    ///   - allowance: What finding out may cost.
    /// - Returns: The caller.
    /// - Throws: ``AuthenticationFailure`` when it is not known who asks.
    func caller(
        of request: HTTPRequest,
        certificateNames: [String],
        allowance: AddressAllowance
    ) async throws -> Caller
}

/// Lets anybody in, as nobody: for development, where only this machine can ask.
package struct AnonymousAuthenticator: Authenticator {
    /// Creates the authenticator.
    package init() {}

    package func caller(of request: HTTPRequest, certificateNames: [String], allowance: AddressAllowance) -> Caller {
        .anonymous
    }
}
