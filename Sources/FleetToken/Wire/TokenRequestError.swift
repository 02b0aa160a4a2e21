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
        /// The name in capital letters and underscores, as in the `details[0].reason` of a server's response.
        public let rawValue: String
        /// The corresponding HTTP status code.
        package let code: Int
        /// The name of the corresponding `google.rpc.Code`.
        package let status: String

        private init(_ rawValue: String, code: Int, status: String) {
            self.rawValue = rawValue
            self.code = code
            self.status = status
        }

        /// No kind of token has this name.
        package static let unknownKind = Self("UNKNOWN_KIND", code: 400, status: "INVALID_ARGUMENT")
        /// The kind requires an ID.
        public static let missingID = Self("MISSING_ID", code: 400, status: "INVALID_ARGUMENT")
        /// An ID breaks a rule.
        public static let invalidID = Self("INVALID_ID", code: 400, status: "INVALID_ARGUMENT")
        /// An ID was given that the kind doesn't accept.
        public static let unexpectedID = Self("UNEXPECTED_ID", code: 400, status: "INVALID_ARGUMENT")
        /// The lifetime is not a number or is out of range.
        package static let invalidLifetime = Self("INVALID_LIFETIME", code: 400, status: "INVALID_ARGUMENT")
        /// The query has an unknown or duplicate parameter.
        package static let invalidQuery = Self("INVALID_QUERY", code: 400, status: "INVALID_ARGUMENT")
        /// The path is malformed.
        package static let invalidPath = Self("INVALID_PATH", code: 400, status: "INVALID_ARGUMENT")
        /// The body is not the expected JSON.
        package static let invalidBody = Self("INVALID_BODY", code: 400, status: "INVALID_ARGUMENT")
        /// The request is not valid HTTP.
        package static let malformedRequest = Self("MALFORMED_REQUEST", code: 400, status: "INVALID_ARGUMENT")
        /// The request took too long to arrive.
        package static let requestTimeout = Self("REQUEST_TIMEOUT", code: 408, status: "DEADLINE_EXCEEDED")
        package static let bodyTooLarge = Self("BODY_TOO_LARGE", code: 413, status: "INVALID_ARGUMENT")
        package static let targetTooLong = Self("TARGET_TOO_LONG", code: 414, status: "INVALID_ARGUMENT")
        /// The body is not JSON.
        package static let unsupportedMediaType = Self("UNSUPPORTED_MEDIA_TYPE", code: 415, status: "INVALID_ARGUMENT")
        /// The header fields are too large or too many.
        package static let headersTooLarge = Self("HEADERS_TOO_LARGE", code: 431, status: "INVALID_ARGUMENT")
        /// Nothing exists at this path.
        package static let notFound = Self("NOT_FOUND", code: 404, status: "NOT_FOUND")
        /// The path exists, but not for this method.
        package static let methodNotAllowed = Self("METHOD_NOT_ALLOWED", code: 405, status: "UNIMPLEMENTED")
        /// The service does not accept this `Host`.
        package static let hostNotAllowed = Self("HOST_NOT_ALLOWED", code: 403, status: "PERMISSION_DENIED")
        /// The request has no credentials.
        package static let unauthenticated = Self("UNAUTHENTICATED", code: 401, status: "UNAUTHENTICATED")
        /// The credentials are not valid.
        package static let invalidCredentials = Self("INVALID_CREDENTIALS", code: 401, status: "UNAUTHENTICATED")
        /// The request has more than one kind of credentials.
        package static let multipleCredentials = Self("MULTIPLE_CREDENTIALS", code: 400, status: "INVALID_ARGUMENT")
        /// Authentication is temporarily unavailable.
        package static let authenticationUnavailable = Self(
            "AUTHENTICATION_UNAVAILABLE",
            code: 503,
            status: "UNAVAILABLE"
        )
        /// The service does not issue this kind of token, or not to this caller.
        package static let kindNotGranted = Self("KIND_NOT_GRANTED", code: 403, status: "PERMISSION_DENIED")
        /// The caller is not allowed to have a token for this ID.
        package static let idNotGranted = Self("ID_NOT_GRANTED", code: 403, status: "PERMISSION_DENIED")
        /// The caller exceeded its rate limit.
        package static let rateLimited = Self("RATE_LIMITED", code: 429, status: "RESOURCE_EXHAUSTED")
        /// The service is overloaded.
        package static let overloaded = Self("OVERLOADED", code: 503, status: "UNAVAILABLE")
        /// The authorization service does not respond.
        package static let authorizationUnavailable = Self(
            "AUTHORIZATION_UNAVAILABLE",
            code: 503,
            status: "UNAVAILABLE"
        )
        /// The signer does not respond.
        package static let signerUnavailable = Self("SIGNER_UNAVAILABLE", code: 503, status: "UNAVAILABLE")
        /// The audit trail cannot be written, and no token is issued without it.
        package static let auditUnavailable = Self("AUDIT_UNAVAILABLE", code: 503, status: "UNAVAILABLE")
        /// The body has an unsupported transfer coding.
        package static let unsupportedCoding = Self("UNSUPPORTED_CODING", code: 501, status: "UNIMPLEMENTED")
        /// An internal error; the log has the details.
        package static let `internal` = Self("INTERNAL", code: 500, status: "INTERNAL")
    }
}

/// The name that the service uses.
package typealias TokenError = TokenRequestError
