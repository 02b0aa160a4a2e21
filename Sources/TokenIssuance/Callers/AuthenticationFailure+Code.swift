extension AuthenticationFailure {
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
        case missingClaim = "missing_claim"
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

        // API keys
        case malformedAPIKey = "malformed_api_key"
        case unknownAPIKey = "unknown_api_key"
        case expiredAPIKey = "expired_api_key"

        /// The method that failed; nil for none, or several.
        var method: Caller.Method? {
            switch self {
            case .noCredentials, .multipleCredentials, .unsupportedScheme, .malformedCredentials: nil
            case .malformedAPIKey, .unknownAPIKey, .expiredAPIKey: .apiKey
            case .malformedToken, .forbiddenHeader, .malformedClaims, .missingClaim, .ownToken, .unknownIssuer,
                .wrongAlgorithm, .wrongType, .wrongAudience, .expired, .notYetValid, .claimMismatch, .unknownKey,
                .refetchDue, .badSignature, .keysUnavailable:
                .jwt
            }
        }
    }
}

extension AuthenticationFailure.Code {
    /// What the operator can do, or have the client do.
    var advice: String {
        switch self {
        case .noCredentials, .unsupportedScheme:
            "The request has no token or API key. Let the client send one as Authorization: Bearer, or an API key as X-API-Key."
        case .multipleCredentials: "Let the client send only one of Authorization and X-API-Key, once."
        case .malformedCredentials, .malformedToken, .malformedClaims, .forbiddenHeader:
            "The credential is not a JWT as RFC 7519 describes it; claim names a claim that is wrong. Let the client send the issuer's token unchanged."
        case .missingClaim: "Let the issuer write the claim that claim names."
        case .ownToken: "The client sends a Fleet Engine token as its credential. Let it send the user's ID token."
        case .unknownIssuer, .wrongAudience, .wrongAlgorithm, .wrongType, .claimMismatch:
            "Compare the token (tokenctl inspect) with the caller's settings under callers. claim names a required claim."
        case .expired: "Let the app renew its token after a 401. If all callers are affected, compare the clocks."
        case .notYetValid: "Compare the clocks of the issuer and of this machine."
        case .unknownKey, .badSignature:
            "The issuer has no such key: the token is another environment's, its key was withdrawn, or somebody else made it. Compare iss and kid (tokenctl inspect) with the issuer's key set."
        case .refetchDue:
            "The issuer's keys were fetched less than ten seconds ago. If it has published the token's key since, the token is accepted then."
        case .keysUnavailable:
            "The issuer's keys cannot be fetched. Check that its server is reachable from here; a warning in the log has the URL and the reason."
        case .malformedAPIKey: "Let the client send the whole key, as tokenctl apikey new has written it."
        case .unknownAPIKey, .expiredAPIKey:
            "Create a key with tokenctl apikey new, add its line to the caller's file, and give the key to the client."
        }
    }
}

extension AuthenticationFailure {
    /// What to do about failures that the code alone does not explain.
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
