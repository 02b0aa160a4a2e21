package import FleetToken
import JOSE
package import Logging
import ServiceSupport
import TokenMinting

/// Where a request ended without a token, and why.
package enum Refusal: Error {
    /// Not a request for a token: its host or path is wrong, or another response failed.
    case noTokenRequest(any Error)
    /// The path supports other methods.
    case methodNotAllowed(allowed: String)
    /// Authentication failed.
    case unauthenticated(AuthenticationFailure)
    /// No token could be verified, or would be accepted.
    case clockIsWrong
    /// Past the limit of the address, for what failed before authentication; with the failure if a token had expired.
    case overAddressLimit(setting: String?, retryAfter: Int, expired: AuthenticationFailure? = nil)
    /// Past the caller's limit.
    case overCallerLimit(setting: String?, retryAfter: Int)
    /// An invalid request of a known caller.
    case invalidRequest(TokenError)
    /// No grant allows it, or a webhook denies it or is unavailable.
    case denied(GrantDecision)
    /// The signer failed.
    case notMinted(any Error)
    /// The token that was minted is not valid at the time of its response.
    case clockChanged
    /// The signatures' queue is full.
    case queueFull(retryAfter: Int)
    /// The audit trail cannot be written.
    case auditUnavailable(retryAfter: Int)
    /// The client closed the connection while the request waited.
    case abandoned
}

// MARK: - What follows from it

extension Refusal {
    /// What is recorded of refusals.
    package enum Lines: Sendable {
        case all
        /// As many as ``CallerLimits/lineRate`` allows for all clients.
        case shared
        /// As many as ``CallerLimits/limitedRate`` allows for all clients.
        case limited
        case none
    }

    /// Whether the request counts against the limit of its address, whether the audit trail has its lines beside the access log,
    /// and how many lines there are.
    ///
    /// This table is the whole rule, which ``TokenIssuer`` follows in one place.
    package var consequences: (chargesAddress: Bool, isAudited: Bool, lines: Lines) {
        switch self {
        // Anyone can cause it, and it requests no token.
        case .noTokenRequest, .methodNotAllowed: (true, false, .shared)
        // The service is at fault, and not the client.
        case .clockIsWrong: (false, true, .shared)
        case .unauthenticated(let failure) where failure.code == .keysUnavailable: (false, true, .shared)
        // It may be a guess, of which the audit trail is to show the beginning.
        case .unauthenticated: (true, true, .shared)
        // Lines for each would make a flood a full disk; metrics count them.
        case .overAddressLimit, .overCallerLimit, .queueFull: (false, false, .limited)
        // The caller's limit has counted it, and nothing was decided.
        case .invalidRequest: (false, false, .all)
        case .denied, .notMinted, .clockChanged: (false, true, .all)
        // The audit trail cannot have it.
        case .auditUnavailable: (false, false, .all)
        // The client is gone.
        case .abandoned: (false, false, .none)
        }
    }
}

// MARK: - What the caller learns

extension Refusal {
    /// The error in the response.
    package var error: TokenError {
        switch self {
        case .noTokenRequest(let cause), .notMinted(let cause): Self.error(hiding: cause)
        case .methodNotAllowed(let allowed): TokenError(.methodNotAllowed, "Method not allowed. Use \(allowed).")
        // An app renews an expired token only after a 401.
        case .unauthenticated(let failure), .overAddressLimit(_, _, let failure?): failure.refusal
        case .clockIsWrong:
            TokenError(.clockUnavailable, "The service's clock is wrong. Retry later.", retryAfter: 60)
        case .overAddressLimit(_, let seconds, nil), .overCallerLimit(_, let seconds):
            TokenError(
                .rateLimited,
                "Too many requests. Retry after the number of seconds in Retry-After.",
                retryAfter: seconds
            )
        case .invalidRequest(let error): error
        case .denied(let decision): decision.denial
        case .clockChanged:
            TokenError(
                .signerUnavailable,
                "The system clock changed while the token was minted. Retry.",
                retryAfter: 1
            )
        case .queueFull(let seconds):
            TokenError(.overloaded, "The service is overloaded. Retry later.", retryAfter: seconds)
        case .auditUnavailable(let seconds):
            TokenError(
                .auditUnavailable,
                "The audit trail is temporarily unavailable. Retry later.",
                retryAfter: seconds
            )
        case .abandoned:
            TokenError(.clientClosedRequest, "The client closed the connection before the response.")
        }
    }

    /// Returns the error for callers, who learn nothing of an internal one.
    private static func error(hiding cause: any Error) -> TokenError {
        switch cause {
        case let error as TokenError: error
        case let error as IAMError:
            TokenError(
                .signerUnavailable,
                "Signing this kind of token is temporarily unavailable. Retry later.",
                retryAfter: error.retrySeconds
            )
        default:
            TokenError(.internal, "Internal error. Retry later; if the error persists, contact the operator.")
        }
    }

    /// The methods that the path supports, if the request's is another.
    package var allowedMethods: String? { if case .methodNotAllowed(let allowed) = self { allowed } else { nil } }
}

// MARK: - What the operator learns

extension Refusal {
    /// Why authentication failed, if it did.
    package var failure: AuthenticationFailure? {
        switch self {
        case .unauthenticated(let failure), .overAddressLimit(_, _, let failure?): failure
        default: nil
        }
    }

    /// What the grants say, if they do not allow the request.
    package var decision: GrantDecision? { if case .denied(let decision) = self { decision } else { nil } }

    /// The internal error, if one is the reason; it is for the log.
    package var cause: (any Error)? {
        switch self {
        case .noTokenRequest(let cause), .notMinted(let cause): cause is TokenError ? nil : cause
        default: nil
        }
    }

    /// The limit that was reached, as its setting in the configuration, if it has one.
    private var limit: String? {
        switch self {
        case .overAddressLimit(let setting, _, _), .overCallerLimit(let setting, _): setting
        default: nil
        }
    }

    /// What the access log says of it: why the request was refused, and what the operator can do.
    ///
    /// It names no ID and no value of a claim.
    package var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = [:]
        metadata[.errorType] = "\(error.reason.rawValue)"
        if let limit { metadata[.limit] = "\(limit)" }
        if let decision { metadata["decision"] = "\(decision)" }
        if let advice { metadata["advice"] = "\(advice)" }
        if let failure { metadata.merge(failure.metadata) { $1 } }
        return metadata
    }

    /// What the operator can do; nil if only the client can do something, or if another line has the cause.
    private var advice: String? {
        switch self {
        case .noTokenRequest(let error as TokenError) where error.reason == .hostNotAllowed: error.message
        case .clockIsWrong: "Set this machine's clock. /readyz?verbose has the reason."
        case .overAddressLimit, .overCallerLimit:
            "Reduce the client's rate, or raise the limit that fleet_token.limit names."
        case .denied(let decision): decision.advice
        case .notMinted(is IAMError): "Another line with this request_id has Google's reason."
        case .notMinted(let error as TokenError) where error.reason == .kindNotGranted:
            "No key signs this kind. Add it under kinds."
        case .notMinted(let error as TokenError) where error.reason == .rateLimited: "Reduce the client's rate."
        case .clockChanged:
            "This machine's clock was set while a token was signed. Check its synchronization (NTP)."
        case .queueFull: "More signatures are requested than can be made in time. Add replicas, or lower limits."
        case .auditUnavailable:
            "Check the disk of audit.file, or the reader of standard output; the line at the beginning of the outage has the reason."
        case .noTokenRequest, .methodNotAllowed, .unauthenticated, .invalidRequest, .notMinted, .abandoned: nil
        }
    }
}

// The errors of the modules below, which know nothing of logs. None has a secret or an ID in its description.
extension TokenError: LoggableError {}
extension JOSEError: LoggableError {}
