package import FleetToken
package import Logging
import ServiceSupport

/// Why authentication failed, for the log: a code, without any part of the credentials.
package struct AuthenticationFailure: Error, Hashable {
    /// Why.
    let code: Code
    /// The claim that is missing or wrong, by its name; its value may be personal.
    private(set) var claim: String?
    /// What the operator can do, instead of the code's general advice.
    let specialAdvice: Advice?
    /// When trying again makes sense, in seconds.
    let retryAfter: Int?
    /// The name of the caller in the configuration that it failed to be, where it came that close to one.
    package private(set) var caller: String?

    init(_ code: Code, advice: Advice? = nil, retryAfter: Int? = nil) {
        self.code = code
        specialAdvice = advice
        self.retryAfter = retryAfter
    }

    /// A JWT without a claim.
    static func missingClaim(_ name: String, advice: Advice? = nil) -> Self {
        var failure = Self(.missingClaim, advice: advice)
        failure.claim = name
        return failure
    }

    /// A JWT with a claim of the wrong type.
    static func malformedClaim(_ name: String) -> Self {
        var failure = Self(.malformedClaims)
        failure.claim = name
        return failure
    }

    /// A JWT with a claim whose value is another than the configuration's.
    static func claimMismatch(_ name: String) -> Self {
        var failure = Self(.claimMismatch)
        failure.claim = name
        return failure
    }

    /// Returns the same failure for a caller with this name.
    func of(_ caller: String) -> Self {
        var failure = self
        failure.caller = caller
        return failure
    }

    /// The log metadata.
    package var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = ["reason": "\(code.rawValue)"]
        if let claim { metadata["claim"] = "\(claim)" }
        metadata["advice"] = "\(specialAdvice?.rawValue ?? code.advice)"
        if let caller { metadata[.caller] = "\(caller)" }
        return metadata
    }

    /// The response to the caller: only what to do next, independent of the reason.
    package var refusal: TokenError {
        switch code {
        // Another scheme is not an authentication attempt (RFC 6750 section 3.1).
        case .noCredentials, .unsupportedScheme:
            TokenError(
                .unauthenticated,
                "Authentication required: send a token or an API key as Authorization: Bearer."
            )
        case .multipleCredentials:
            TokenError(
                .multipleCredentials,
                "Multiple credentials: send only one Authorization field, or one X-API-Key field."
            )
        case .keysUnavailable:
            TokenError(
                .authenticationUnavailable,
                "Authentication is temporarily unavailable. Retry later.",
                retryAfter: retryAfter
            )
        default:
            TokenError(.invalidCredentials, "Authentication failed. Get new credentials, then try again.")
        }
    }
}
