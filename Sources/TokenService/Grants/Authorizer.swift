import FleetToken

/// Decides whether a caller may have a scope, or refuses.
protocol Authorizer: Sendable {
    /// Returns when the caller may have the scope.
    ///
    /// - Throws: ``TokenError`` with a 403 reason when it may not.
    func authorize(_ caller: Caller, for scope: TokenScope) async throws
}

/// Grants everything: for development, whose tokens open nothing.
struct DevelopmentAuthorizer: Authorizer {
    func authorize(_ caller: Caller, for scope: TokenScope) {}
}
