package import FleetToken
package import Logging

/// Why nobody was let in, for the log: a code, and not a byte of what was sent.
package struct AuthenticationFailure: Error, Hashable {
    /// The codes, as the log has them.
    enum Code: String, CaseIterable {
        // Whatever was sent
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
        case badSignature = "bad_signature"
        case keysUnavailable = "keys_unavailable"
        case notExamined = "not_examined"

        // API keys
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

    /// The same failure, of a caller of this name.
    func of(_ caller: String) -> Self {
        var failure = self
        failure.caller = caller
        return failure
    }

    /// What the log says of it.
    package var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = ["reason": "\(code.rawValue)"]
        if let caller { metadata["caller"] = "\(caller)" }
        return metadata
    }

    /// What the caller is told: no more than what to do next, and the same whatever was wrong.
    package var refusal: TokenError {
        switch code {
        // Another scheme, or a certificate that is nobody's, is no attempt at saying who asks (RFC 6750 section 3.1).
        case .noCredentials, .unsupportedScheme, .unknownCertificate:
            TokenError(.unauthenticated, "Say who asks: send a token or an API key as Authorization: Bearer.")
        case .multipleCredentials:
            TokenError(
                .multipleCredentials,
                "Say once who asks: with one Authorization field, one X-API-Key field, or a client certificate."
            )
        case .keysUnavailable:
            TokenError(
                .authenticationUnavailable,
                "It cannot be found out now who asks. Try again later.",
                retryAfter: retryAfter
            )
        case .notExamined:
            TokenError(
                .rateLimited,
                "Too many requests. Ask again after the seconds in Retry-After.",
                retryAfter: 1
            )
        default:
            TokenError(.invalidCredentials, "The credentials are not accepted. Get new ones, then try again.")
        }
    }
}
