import FleetToken
import HTTPTypes

/// Finds out who asks, or refuses.
protocol Authenticator: Sendable {
    /// The caller of a request.
    ///
    /// - Parameters:
    ///   - request: The request's head.
    ///   - certificateNames: The names in the client certificate's SAN, if TLS asked for one and it is valid.
    /// - Throws: ``TokenError`` with reason ``TokenError/Reason/unauthenticated`` when nobody known asks, or 400 when
    ///   somebody asks in two ways at once.
    func caller(of request: HTTPRequest, certificateNames: [String]) async throws -> Caller
}

/// Lets anybody in, as nobody: for development, where only this machine can ask.
struct AnonymousAuthenticator: Authenticator {
    func caller(of request: HTTPRequest, certificateNames: [String]) -> Caller {
        .anonymous
    }
}
