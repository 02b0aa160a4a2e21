package import FleetToken
package import HTTPTypes

/// A refusal on its way out: the error, and the header fields that HTTP wants beside it.
package struct Refusal: Error {
    package let error: TokenError
    let headers: HTTPFields

    package init(_ error: TokenError, headers: HTTPFields = [:]) {
        self.error = error
        self.headers = headers
    }

    /// The path exists, but for other methods.
    package static func methodNotAllowed(allowed: String) -> Self {
        Self(
            TokenError(.methodNotAllowed, "This path answers to \(allowed) only."),
            headers: [.allow: allowed]
        )
    }
}
