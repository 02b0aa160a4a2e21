package import ExpiringCache

/// Why Google doesn't sign.
///
/// Its text is for the operator, never for a caller. It holds nothing that Google sent but the names of its errors.
package struct IAMError: FetchFailure, SignerFailure, Hashable, CustomStringConvertible {
    /// The kind of error.
    package enum Code: Hashable, Sendable {
        /// There is no response.
        case unreachable
        case timedOut
        /// The service is temporarily unavailable.
        case unavailable
        /// A quota is used up.
        case quota
        /// The access token is invalid or unavailable.
        case credentials
        /// A role or an API is missing, or the account is.
        case denied
        case malformed
    }

    package let code: Code
    /// The problem and its solution, without any part of a token or key.
    package let description: String
    /// Whether and when trying again may help.
    package let retry: FetchRetry

    init(_ code: Code, _ description: String, retry: FetchRetry = .retryable()) {
        self.code = code
        self.description = description
        self.retry = retry
    }

    var isOfKey: Bool { false }

    /// When trying again makes sense, in whole seconds, at least one.
    package var retryAfter: Int {
        switch retry {
        case .retryable(let seconds): max(1, Int((seconds ?? 1).rounded(.up)))
        // A fix by an operator takes a while.
        case .permanent: 30
        }
    }
}

extension IAMError {
    /// Creates the error for a failed or suppressed fetch of a cache.
    init(_ error: CacheError) {
        let retry = error.retryAfter.map { FetchRetry.retryable(after: $0) }
        if let reason = error.underlying as? IAMError {
            // A permanent failure stays one, however long the cache remembers it.
            self.init(
                reason.code,
                reason.description,
                retry: reason.retry == .permanent ? .permanent : retry ?? reason.retry
            )
        } else {
            self.init(.unreachable, "Google is unreachable. \(error)", retry: retry ?? .retryable())
        }
    }
}
