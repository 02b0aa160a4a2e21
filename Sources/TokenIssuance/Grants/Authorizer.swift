/// Decides whether a caller may have a token, or refuses.
///
/// A class, for the same reason as ``IssuancePipeline``.
package protocol Authorizer: AnyObject, Sendable {
    /// Returns the name of the grant that lets the caller have the token.
    ///
    /// - Throws: ``TokenError`` with a 403 reason when none does, or 503 when it cannot be found out.
    func authorize(_ caller: Caller, for wanted: TokenRequest, requestID: String) async throws -> String
}

/// Grants everything: for development, whose tokens open nothing.
package final class DevelopmentAuthorizer: Authorizer {
    /// Creates the authorizer.
    package init() {}

    package func authorize(_ caller: Caller, for wanted: TokenRequest, requestID: String) -> String {
        "development"
    }
}
