import ServiceSupport

/// Why keys are unavailable or unusable.
///
/// Its text is for the operator, never for a caller.
package struct MintingError: LoggableError, Hashable {
    /// The problem and its solution, without any part of a key or token.
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
