package import FleetToken
import JOSE
import ServiceSupport
package import TokenMinting

/// How a request for a token ended.
package struct Outcome: Sendable {
    /// The end of a request.
    package enum Ending: Sendable {
        /// The token is issued at this time.
        case issued(MintedToken, at: NumericDate)
        /// There is no token.
        case refused(Refusal)
        /// The client closed the connection, and there is no decision.
        case abandoned
    }

    package let ending: Ending
    /// The authenticated caller; nil if unknown.
    package let caller: Caller?
    /// The requested kind of token, as far as it is known.
    package let kind: TokenKind?

    /// Returns the outcome of a refused request that nothing else is known of.
    package static func refused(_ refusal: Refusal) -> Self { Self(ending: .refused(refusal), caller: nil, kind: nil) }

    /// The refusal, if there is no token.
    package var refusal: Refusal? {
        if case .refused(let refusal) = ending { refusal } else { nil }
    }
}

/// A refused request: the error in its response, and what the operator learns of it.
package struct Refusal: Error {
    /// The error in the response.
    package private(set) var error: TokenError
    /// Why authentication failed, if it did.
    package private(set) var failure: AuthenticationFailure?
    /// The internal error, if one is the reason; it is for the log.
    package private(set) var cause: (any Error)?
    /// The methods that the path supports, if the request's is another.
    package private(set) var allowedMethods: String?
    /// The limit that was reached, as its setting in the configuration, if it has one.
    package private(set) var limit: String?
    /// Where the request ended, and so who is charged and what is recorded.
    package var rule: RefusalRule
    /// Whether there is a line for it in the access log, where few refusals have one.
    var isListed = true

    /// Creates a refusal.
    ///
    /// - Parameters:
    ///   - error: The reason: a refusal is copied, and callers learn nothing of internal errors.
    ///   - rule: Where the request ended.
    ///   - limit: The limit that was reached, as its setting in the configuration.
    package init(_ error: any Error, _ rule: RefusalRule, limit: String? = nil) {
        self.rule = rule
        self.limit = limit
        switch error {
        case let refusal as Refusal: self = refusal
        case let error as TokenError: self.error = error
        case let refusal as AdmissionRefusal: self.error = refusal.error
        case let failure as AuthenticationFailure:
            self.error = failure.refusal
            self.failure = failure
        default:
            self.error = TokenError(
                .internal,
                "Internal error. Retry later; if the error persists, contact the operator."
            )
            cause = error
        }
    }

    /// Returns the refusal of a request whose path supports other methods.
    package static func methodNotAllowed(allowed: String) -> Refusal {
        var refusal = Refusal(TokenError(.methodNotAllowed, "Method not allowed. Use \(allowed)."), .noTokenRequest)
        refusal.allowedMethods = allowed
        return refusal
    }

    /// Whether the access log has a line.
    package var isLogged: Bool {
        switch rule.log {
        case .line: true
        case .few: isListed
        case .nothing: false
        }
    }
}

// The errors of the modules below, which know nothing of logs. None has a secret or an ID in its description.
extension TokenError: LoggableError {}
extension JOSEError: LoggableError {}
