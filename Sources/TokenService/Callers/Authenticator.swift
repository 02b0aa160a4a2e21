import FleetToken
import HTTPTypes

/// Finds out who asks, or refuses.
protocol Authenticator: Sendable {
    /// The caller of a request.
    ///
    /// - Throws: ``TokenError`` with reason ``TokenError/Reason/unauthenticated`` when nobody known asks.
    func caller(of request: HTTPRequest) async throws -> Caller
}

/// Lets anybody in, as nobody: for development, where only this machine can ask.
struct AnonymousAuthenticator: Authenticator {
    func caller(of request: HTTPRequest) -> Caller {
        Caller(method: .anonymous)
    }
}
