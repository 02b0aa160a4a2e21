import FleetToken
package import HTTPTypes

/// Authenticates callers.
package protocol Authenticator: Sendable {
    /// Returns the caller of a request.
    ///
    /// - Parameters:
    ///   - request: The request's head.
    ///   - certificateNames: The names in the client certificate's SAN, if TLS requested one and it is valid.
    ///   - allowance: The remaining cost that the address may cause.
    /// - Returns: The caller.
    /// - Throws: ``AuthenticationFailure`` if authentication fails.
    func caller(
        of request: HTTPRequest,
        certificateNames: [String],
        allowance: AddressAllowance
    ) async throws -> Caller
}

/// Accepts every request without authentication: for development, where only this machine can connect.
package struct AnonymousAuthenticator: Authenticator {
    /// Creates the authenticator.
    package init() {}

    package func caller(of request: HTTPRequest, certificateNames: [String], allowance: AddressAllowance) -> Caller {
        .anonymous
    }
}
