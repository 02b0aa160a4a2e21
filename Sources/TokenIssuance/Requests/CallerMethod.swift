extension Caller {
    /// The authentication method.
    package enum Method: String, CaseIterable, Sendable {
        /// No authentication: development only.
        case anonymous
        /// A JWT of an issuer's.
        case jwt
        case apiKey = "api_key"
        /// A client certificate.
        case certificate
    }
}

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

        /// The method that failed; nil for none, or several.
        var method: Caller.Method? {
            switch self {
            case .noCredentials, .multipleCredentials, .unsupportedScheme, .malformedCredentials: nil
            case .malformedAPIKey, .unknownAPIKey, .expiredAPIKey: .apiKey
            case .unknownCertificate, .ambiguousCertificate: .certificate
            case .malformedToken, .forbiddenHeader, .malformedClaims, .ownToken, .unknownIssuer, .wrongAlgorithm,
                .wrongType, .wrongAudience, .expired, .notYetValid, .claimMismatch, .unknownKey, .refetchDue,
                .badSignature, .keysUnavailable, .notExamined:
                .jwt
            }
        }
    }
}
