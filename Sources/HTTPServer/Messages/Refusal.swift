package import FleetToken
package import HTTPTypes

/// An error response: the error, and the additional header fields that HTTP requires.
package struct Refusal: Error {
    package let error: TokenError
    let headers: HTTPFields

    package init(_ error: TokenError, headers: HTTPFields = [:]) {
        self.error = error
        self.headers = headers
    }

    /// Returns the refusal for a path that supports other methods.
    package static func methodNotAllowed(allowed: String) -> Self {
        Self(
            TokenError(.methodNotAllowed, "Method not allowed. Use \(allowed)."),
            headers: [.allow: allowed]
        )
    }
}
