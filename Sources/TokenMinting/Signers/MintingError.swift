import ServiceSupport

/// Why keys are unavailable or unusable.
///
/// Its text is for the operator, never for a caller.
package struct MintingError: LoggableError, Hashable {
    /// The kind of error.
    package enum Code: Hashable, Sendable {
        /// A file is not the service account's key that it should be.
        case invalidServiceAccount
        /// The signed token does not match the request.
        case wrongToken
    }

    package let code: Code
    /// The problem and its solution, without any part of a key or token.
    package let description: String

    package init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
