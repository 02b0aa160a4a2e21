package import FleetToken
import JOSE
package import Logging
import ServiceSupport
import TokenMinting

/// A refused request: the error in its response, and what the operator learns of it.
package struct Refusal: Error {
    /// The error in the response.
    package let error: TokenError
    /// Where the request ended, and so who is charged and what is recorded.
    package let rule: RefusalRule
    /// Why authentication failed, if it did.
    package private(set) var failure: AuthenticationFailure?
    /// What the grants say, if they do not allow the request.
    package private(set) var decision: GrantDecision?
    /// The internal error, if one is the reason; it is for the log.
    package private(set) var cause: (any Error)?
    /// The methods that the path supports, if the request's is another.
    package private(set) var allowedMethods: String?
    /// The limit that was reached, as its setting in the configuration, if it has one.
    package private(set) var limit: String?
    /// Whether it has lines, by its rule and by the limit of lines that the rule names.
    package var isRecorded: Bool

    private init(_ error: TokenError, _ rule: RefusalRule) {
        self.error = error
        self.rule = rule
        isRecorded = rule.lines != .none
    }

    /// Creates the refusal of a reason that callers learn nothing of, unless it is an error for them.
    private init(_ cause: any Error, _ rule: RefusalRule) {
        if let error = cause as? TokenError {
            self.init(error, rule)
        } else {
            let text = "Internal error. Retry later; if the error persists, contact the operator."
            self.init(TokenError(.internal, text), rule)
            self.cause = cause
        }
    }
}

extension Refusal {
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
        switch error.reason {
        case .hostNotAllowed: error.message
        case .kindNotGranted where decision == nil: "No key signs this kind. Add it under kinds."
        case .idNotGranted where decision?.hasWebhookFault == true:
            "Correct the response of the webhook that decision names."
        case .kindNotGranted, .idNotGranted:
            "Change a grant (tokend explain shows what each says), or correct the client's request."
        case .authorizationUnavailable: "Check the webhook that decision names."
        case .overloaded where decision != nil: "Let the webhook that decision names respond faster."
        case .overloaded: "More signatures are requested than can be made in time. Add replicas, or lower limits."
        case .clockUnavailable: "Set this machine's clock. /readyz?verbose has the reason."
        case .signerUnavailable where cause == nil:
            "This machine's clock was set while a token was signed. Check its synchronization (NTP)."
        case .signerUnavailable: "Another line with this request_id has Google's reason."
        case .rateLimited where limit == nil: "Let the client send less."
        case .rateLimited: "Let the client send less, or raise the limit that fleet_token.limit names."
        case .auditUnavailable:
            "Check the disk of audit.file, or the reader of standard output; the line at the beginning of the outage has the reason."
        default: nil
        }
    }
}

// MARK: - Constructors, one for each `RefusalRule`

extension Refusal {
    /// Creates the refusal of a request that is not for a token.
    package init(noTokenRequest error: any Error) {
        if let refusal = error as? Refusal { self = refusal } else { self.init(error, .noTokenRequest) }
    }

    /// Returns the refusal of a request whose path supports other methods.
    package static func methodNotAllowed(allowed: String) -> Refusal {
        var refusal = Refusal(TokenError(.methodNotAllowed, "Method not allowed. Use \(allowed)."), .noTokenRequest)
        refusal.allowedMethods = allowed
        return refusal
    }

    init(unauthenticated failure: AuthenticationFailure) {
        self.init(failure.refusal, failure.code == .keysUnavailable ? .authenticationUnavailable : .unauthenticated)
        self.failure = failure
    }

    /// No token could be verified or would be accepted.
    static let clockIsWrong = Refusal(
        TokenError(.clockUnavailable, "The service's clock is wrong. Retry later.", retryAfter: 60),
        .authenticationUnavailable
    )

    /// Creates the refusal of what failed before authentication, past the limit of its address.
    init(overAddressLimit refusal: Refusal, retryAfter seconds: Int, limit: String?) {
        // An app renews an expired token only after a 401.
        let isExpired = refusal.failure?.code == .expired
        self.init(isExpired ? refusal.error : .tooManyRequests(retryAfter: seconds), .overAddressLimit)
        failure = isExpired ? refusal.failure : nil
        self.limit = limit
    }

    init(overCallerLimit limit: String?, retryAfter seconds: Int) {
        self.init(TokenError.tooManyRequests(retryAfter: seconds), .overCallerLimit)
        self.limit = limit
    }

    init(invalidRequest error: TokenError) { self.init(error, .invalidRequest) }

    init(denied decision: GrantDecision) {
        self.init(decision.denial, .denied)
        self.decision = decision
    }

    init(notMinted error: any Error) {
        guard let error = error as? IAMError else {
            self.init(error, .notMinted)
            return
        }
        let text = "Signing this kind of token is temporarily unavailable. Retry later."
        self.init(TokenError(.signerUnavailable, text, retryAfter: error.retrySeconds), .notMinted)
        cause = error
    }

    /// The token that was minted is not valid at the time of its response.
    static let clockChanged = Refusal(
        TokenError(
            .signerUnavailable,
            "The system clock changed while the token was minted. Retry.",
            retryAfter: 1
        ),
        .notMinted
    )

    init(queueFull refusal: GateRefusal) { self.init(refusal.error, .queueFull) }

    init(auditUnavailable error: TokenError) { self.init(error, .auditUnavailable) }

    /// The client has gone.
    static let abandoned = Refusal(
        TokenError(.clientClosedRequest, "The client closed the connection before the response."),
        .abandoned
    )
}

// The errors of the modules below, which know nothing of logs. None has a secret or an ID in its description.
extension TokenError: LoggableError {}
extension JOSEError: LoggableError {}
