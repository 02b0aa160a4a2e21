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
    }
}

extension AuthenticationFailure.Code {
    /// What the operator can do, or have the client do: short, because unauthenticated clients can cause many of these lines.
    var advice: String {
        switch self {
        case .noCredentials, .unsupportedScheme: "Let the client send a token or an API key as Authorization: Bearer."
        case .multipleCredentials: "Let the client send only one of Authorization and X-API-Key, once."
        case .malformedCredentials, .malformedToken, .malformedClaims, .forbiddenHeader:
            "Let the client send the issuer's token unchanged: this is no JWT as RFC 7519 describes it."
        case .missingClaim: "Let the issuer write the claim."
        case .ownToken: "Let the client send the user's ID token: this is a Fleet Engine token."
        case .unknownIssuer, .wrongAudience, .wrongAlgorithm, .wrongType, .claimMismatch:
            "Compare the token (tokenctl inspect) with the settings of callers."
        case .expired: "Let the app renew its token after a 401. If all callers are affected, compare the clocks."
        case .notYetValid: "Compare the clocks of the issuer and of this machine."
        case .unknownKey, .badSignature:
            "Compare the token (tokenctl inspect) with the issuer's key set, which does not have its key."
        case .refetchDue: "Let the client try again in ten seconds: the issuer may have a new key."
        case .keysUnavailable:
            "Check that the issuer can be reached from here; a warning in the log has the URL and the reason."
        case .malformedAPIKey: "Let the client send the whole key, as tokenctl apikey new wrote it."
        case .unknownAPIKey, .expiredAPIKey:
            "Create a key with tokenctl apikey new, and add its line to the caller's file."
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
