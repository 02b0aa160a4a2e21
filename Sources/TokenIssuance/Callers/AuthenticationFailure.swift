package import FleetToken
package import Logging
import ServiceSupport

/// Why authentication failed, for the log: a code, without any part of the credentials.
package struct AuthenticationFailure: Error, Hashable {
    /// Why.
    let code: Code
    /// The claim that is missing or wrong, by its name; its value may be personal.
    let claim: String?
    /// What the operator can do.
    let advice: Advice?
    /// When trying again makes sense, in seconds.
    let retryAfter: Int?
    /// The name of the caller in the configuration that it failed to be, where it came that close to one.
    package private(set) var caller: String?

    init(_ code: Code, claim: String? = nil, advice: Advice? = nil, retryAfter: Int? = nil) {
        self.code = code
        self.claim = claim
        self.advice = advice
        self.retryAfter = retryAfter
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
        if let advice { metadata["advice"] = "\(advice.rawValue)" }
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

extension AuthenticationFailure {
    /// The ways out of failures that the code does not explain.
    package enum Advice: String, Sendable {
        case noKeyID =
            "The token has no kid, and the issuer's set has not exactly one key that can have signed it. Let the issuer write kid."
        case issuerUnavailable =
            "The issuer cannot be asked again for its keys: see the warning in the log. If it has published the token's key, the token is accepted once it can."
        case signatureRemoved =
            "Cloud Run checked the token and removed its signature. Send Cloud Run's token as X-Serverless-Authorization, or disable its check: see docs/guides/cloud-run.md."
        case googleEmail =
            "Google writes email only on request: from the metadata server with format=full, from generateIdToken with includeEmail."
    }
}

extension TokenError {
    static func tooManyRequests(retryAfter seconds: Int) -> Self {
        Self(.rateLimited, "Too many requests. Retry after the number of seconds in Retry-After.", retryAfter: seconds)
    }
}
