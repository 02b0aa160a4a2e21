import FleetToken
import HTTPTypes

/// A refusal on its way out: the error, and the header fields that HTTP wants beside it.
struct Refusal: Error {
    let error: TokenError
    let headers: HTTPFields

    init(_ error: TokenError, headers: HTTPFields = [:]) {
        self.error = error
        self.headers = headers
    }

    /// The path exists, but for other methods.
    static func methodNotAllowed(allowed: String) -> Self {
        Self(
            TokenError(.methodNotAllowed, "This path answers to \(allowed) only."),
            headers: [.allow: allowed]
        )
    }
}
