package import FleetToken
package import Logging
import ServiceSupport

/// Why authentication failed, for the log: a code, without any part of the credentials.
package struct AuthenticationFailure: Error, Hashable {
    /// The codes, as the log has them.
    enum Code: String, CaseIterable {
        // All credentials
        case noCredentials = "no_credentials"
        case multipleCredentials = "multiple_credentials"
        case unsupportedScheme = "unsupported_scheme"
        case malformedCredentials = "malformed_credentials"

        // JWTs
        case malformedToken = "malformed_token"
        case forbiddenHeader = "forbidden_header"
        case malformedClaims = "malformed_claims"
        case ownToken = "own_token"
        case unknownIssuer = "unknown_issuer"
        case wrongAlgorithm = "wrong_algorithm"
        case wrongType = "wrong_type"
        case wrongAudience = "wrong_audience"
        case expired = "expired"
        case notYetValid = "not_yet_valid"
        case claimMismatch = "claim_mismatch"
        case unknownKey = "unknown_key"
        case refetchDue = "refetch_due"
        case badSignature = "bad_signature"
        case keysUnavailable = "keys_unavailable"
        case notExamined = "not_examined"

        // API keys
        case malformedAPIKey = "malformed_api_key"
        case unknownAPIKey = "unknown_api_key"
        case expiredAPIKey = "expired_api_key"

        // Client certificates
        case unknownCertificate = "unknown_certificate"
        case ambiguousCertificate = "ambiguous_certificate"
    }

    /// Why.
    let code: Code
    /// When trying again makes sense, in seconds.
    let retryAfter: Int?
    /// The name of the caller in the configuration that it failed to be, where it came that close to one.
    private(set) var caller: String?

    init(_ code: Code, retryAfter: Int? = nil) {
        self.code = code
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
        if let caller { metadata[.caller] = "\(caller)" }
        return metadata
    }

    /// The response to the caller: only what to do next, independent of the reason.
    package var refusal: TokenError {
        switch code {
        // Another scheme, or an unknown certificate, is not an authentication attempt (RFC 6750 section 3.1).
        case .noCredentials, .unsupportedScheme, .unknownCertificate:
            TokenError(
                .unauthenticated,
                "Authentication required: send a token or an API key as Authorization: Bearer."
            )
        case .multipleCredentials:
            TokenError(
                .multipleCredentials,
                "Multiple credentials: send only one Authorization field, one X-API-Key field, or a client certificate."
            )
        case .keysUnavailable, .refetchDue:
            TokenError(
                .authenticationUnavailable,
                "Authentication is temporarily unavailable. Retry later.",
                retryAfter: retryAfter
            )
        case .notExamined:
            TokenError(
                .rateLimited,
                "Too many requests. Retry after the number of seconds in Retry-After.",
                retryAfter: 1
            )
        default:
            TokenError(.invalidCredentials, "Authentication failed. Get new credentials, then try again.")
        }
    }
}
