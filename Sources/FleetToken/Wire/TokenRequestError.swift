/// An invalid token request, or a request that a token server refuses.
///
/// Apps get it when they create an ID or a scope. A server's response reaches apps as the `serverReason` and the
/// message of a `TokenProviderError`. On the wire it is Google's error model (AIP-193). The message names no claim,
/// policy or key, and repeats no input.
public struct TokenRequestError: Error, Hashable, Sendable {
    /// The reason for the error.
    public let reason: Reason
    /// The recommended action, in English, for a developer.
    public let message: String
    /// When a retry makes sense, in seconds.
    package let retryAfter: Int?

    package init(_ reason: Reason, _ message: String, retryAfter: Int? = nil) {
        self.reason = reason
        self.message = message
        self.retryAfter = retryAfter
    }

    static func invalidID(_ rule: String) -> Self {
        Self(.invalidID, "An ID is not valid. \(rule)")
    }
}

extension TokenRequestError: CustomStringConvertible {
    /// The reason and the message.
    public var description: String { "\(reason.rawValue): \(message)" }
}

extension TokenRequestError {
    /// The reason for an error.
    ///
    /// Reasons may be added.
    public struct Reason: Hashable, Sendable {
        private let name: Name

        /// The name in capital letters and underscores, as in the `details[0].reason` of a server's response.
        public var rawValue: String { name.rawValue }

        /// The corresponding HTTP status code.
        package var code: Int { name.status.code }

        /// The name of the corresponding `google.rpc.Code`.
        package var status: String { name.status.name }

        /// All reasons.
        package static let all = Name.allCases.map { Self(name: $0) }

        package static let unknownKind = Self(name: .unknownKind)
        /// The kind requires an ID.
        public static let missingID = Self(name: .missingID)
        /// An ID breaks a rule.
        public static let invalidID = Self(name: .invalidID)
        /// An ID was given that the kind doesn't accept.
        public static let unexpectedID = Self(name: .unexpectedID)
        /// The lifetime is not a number or is out of range.
        package static let invalidLifetime = Self(name: .invalidLifetime)
        /// The query has an unknown or duplicate parameter.
        package static let invalidQuery = Self(name: .invalidQuery)
        /// The path is malformed.
        package static let invalidPath = Self(name: .invalidPath)
        /// The body is not the expected JSON.
        package static let invalidBody = Self(name: .invalidBody)
        /// The request is not valid HTTP.
        package static let malformedRequest = Self(name: .malformedRequest)
        /// The request took too long to arrive.
        package static let requestTimeout = Self(name: .requestTimeout)
        package static let bodyTooLarge = Self(name: .bodyTooLarge)
        package static let targetTooLong = Self(name: .targetTooLong)
        /// The body is not JSON.
        package static let unsupportedMediaType = Self(name: .unsupportedMediaType)
        /// The header fields are too large or too many.
        package static let headersTooLarge = Self(name: .headersTooLarge)
        /// Nothing exists at this path.
        package static let notFound = Self(name: .notFound)
        /// The path exists, but not for this method.
        package static let methodNotAllowed = Self(name: .methodNotAllowed)
        /// The service does not accept this `Host`.
        package static let hostNotAllowed = Self(name: .hostNotAllowed)
        /// The request has no credentials.
        package static let unauthenticated = Self(name: .unauthenticated)
        /// The credentials are not valid.
        package static let invalidCredentials = Self(name: .invalidCredentials)
        /// The request has more than one kind of credentials.
        package static let multipleCredentials = Self(name: .multipleCredentials)
        /// Authentication is temporarily unavailable.
        package static let authenticationUnavailable = Self(name: .authenticationUnavailable)
        /// The service does not issue this kind of token, or not to this caller.
        package static let kindNotGranted = Self(name: .kindNotGranted)
        /// The caller is not allowed to have a token for this ID.
        package static let idNotGranted = Self(name: .idNotGranted)
        /// The caller exceeded its rate limit.
        package static let rateLimited = Self(name: .rateLimited)
        /// The service is overloaded.
        package static let overloaded = Self(name: .overloaded)
        /// The authorization service does not respond.
        package static let authorizationUnavailable = Self(name: .authorizationUnavailable)
        /// The signer does not respond.
        package static let signerUnavailable = Self(name: .signerUnavailable)
        /// The audit trail cannot be written, and no token is issued without it.
        package static let auditUnavailable = Self(name: .auditUnavailable)
        /// The body has an unsupported transfer coding.
        package static let unsupportedCoding = Self(name: .unsupportedCoding)
        /// An internal error; the log has the details.
        package static let `internal` = Self(name: .`internal`)
    }

    private enum Name: String, CaseIterable {
        case unknownKind = "UNKNOWN_KIND"
        case missingID = "MISSING_ID"
        case invalidID = "INVALID_ID"
        case unexpectedID = "UNEXPECTED_ID"
        case invalidLifetime = "INVALID_LIFETIME"
        case invalidQuery = "INVALID_QUERY"
        case invalidPath = "INVALID_PATH"
        case invalidBody = "INVALID_BODY"
        case malformedRequest = "MALFORMED_REQUEST"
        case requestTimeout = "REQUEST_TIMEOUT"
        case bodyTooLarge = "BODY_TOO_LARGE"
        case targetTooLong = "TARGET_TOO_LONG"
        case unsupportedMediaType = "UNSUPPORTED_MEDIA_TYPE"
        case headersTooLarge = "HEADERS_TOO_LARGE"
        case notFound = "NOT_FOUND"
        case methodNotAllowed = "METHOD_NOT_ALLOWED"
        case hostNotAllowed = "HOST_NOT_ALLOWED"
        case unauthenticated = "UNAUTHENTICATED"
        case invalidCredentials = "INVALID_CREDENTIALS"
        case multipleCredentials = "MULTIPLE_CREDENTIALS"
        case authenticationUnavailable = "AUTHENTICATION_UNAVAILABLE"
        case kindNotGranted = "KIND_NOT_GRANTED"
        case idNotGranted = "ID_NOT_GRANTED"
        case rateLimited = "RATE_LIMITED"
        case overloaded = "OVERLOADED"
        case authorizationUnavailable = "AUTHORIZATION_UNAVAILABLE"
        case signerUnavailable = "SIGNER_UNAVAILABLE"
        case auditUnavailable = "AUDIT_UNAVAILABLE"
        case unsupportedCoding = "UNSUPPORTED_CODING"
        case `internal` = "INTERNAL"

        var status: (code: Int, name: String) {
            switch self {
            case .unknownKind, .missingID, .invalidID, .unexpectedID, .invalidLifetime, .invalidQuery, .invalidPath,
                .invalidBody, .malformedRequest, .multipleCredentials:
                (400, "INVALID_ARGUMENT")
            case .requestTimeout: (408, "DEADLINE_EXCEEDED")
            case .bodyTooLarge: (413, "INVALID_ARGUMENT")
            case .targetTooLong: (414, "INVALID_ARGUMENT")
            case .unsupportedMediaType: (415, "INVALID_ARGUMENT")
            case .headersTooLarge: (431, "INVALID_ARGUMENT")
            case .notFound: (404, "NOT_FOUND")
            case .methodNotAllowed: (405, "UNIMPLEMENTED")
            case .hostNotAllowed, .kindNotGranted, .idNotGranted: (403, "PERMISSION_DENIED")
            case .unauthenticated, .invalidCredentials: (401, "UNAUTHENTICATED")
            case .authenticationUnavailable, .overloaded, .authorizationUnavailable, .signerUnavailable,
                .auditUnavailable:
                (503, "UNAVAILABLE")
            case .rateLimited: (429, "RESOURCE_EXHAUSTED")
            case .unsupportedCoding: (501, "UNIMPLEMENTED")
            case .internal: (500, "INTERNAL")
            }
        }
    }
}

/// The name that the service uses.
package typealias TokenError = TokenRequestError
