import FleetToken
import HTTPTypes

/// Finds out who asks, or refuses.
protocol Authenticator: Sendable {
    /// The caller of a request.
    ///
    /// - Parameters:
    ///   - request: The request's head.
    ///   - certificateNames: The names in the client certificate's SAN, if TLS asked for one and it is valid.
    ///   - requestID: What the log knows the request by.
    /// - Returns: The caller.
    /// - Throws: ``TokenError`` with a 401 reason when nobody known asks, 400 when somebody asks in two ways at once, or
    ///   503 when it cannot be found out.
    func caller(of request: HTTPRequest, certificateNames: [String], requestID: String) async throws -> Caller
}

/// Lets anybody in, as nobody: for development, where only this machine can ask.
struct AnonymousAuthenticator: Authenticator {
    func caller(of request: HTTPRequest, certificateNames: [String], requestID: String) -> Caller {
        .anonymous
    }
}
