package import FleetToken

/// Decides whether a caller may have a scope, or refuses.
package protocol Authorizer: Sendable {
    /// Returns the name of the grant that lets the caller have the scope.
    ///
    /// - Throws: ``TokenError`` with a 403 reason when none does, or 503 when it cannot be found out.
    func authorize(_ caller: Caller, for scope: TokenScope, requestID: String) async throws -> String
}

/// Grants everything: for development, whose tokens open nothing.
package struct DevelopmentAuthorizer: Authorizer {
    /// Creates the authorizer.
    package init() {}

    package func authorize(_ caller: Caller, for scope: TokenScope, requestID: String) -> String {
        "development"
    }
}
