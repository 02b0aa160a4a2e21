/// A refusal: its reason, and what the caller should do next.
///
/// On the wire it is Google's error model (AIP-193), which the SDKs' users know. Its message names no claim, policy or
/// key, and repeats nothing that the caller sent.
public struct TokenError: Error, Hashable, Sendable {
    /// Why.
    public let reason: Reason
    /// What to do about it.
    public let message: String
    /// When trying again makes sense, in seconds.
    public let retryAfter: Int?

    /// A refusal.
    public init(_ reason: Reason, _ message: String, retryAfter: Int? = nil) {
        self.reason = reason
        self.message = message
        self.retryAfter = retryAfter
    }

    static func invalidID(_ rule: String) -> Self {
        Self(.invalidID, "An ID is not valid. \(rule)")
    }
}

extension TokenError: CustomStringConvertible {
    /// The reason and the message.
    public var description: String { "\(reason.rawValue): \(message)" }
}

extension TokenError {
    /// A reason, with the HTTP status code and the `google.rpc` status that go with it.
    public struct Reason: Hashable, Sendable {
        /// Its name in `details[0].reason`, in capitals and underscores.
        public let rawValue: String
        /// The HTTP status code.
        public let code: Int
        /// The name of the `google.rpc.Code`.
        public let status: String

        private init(_ rawValue: String, _ code: Int, _ status: String) {
            self.rawValue = rawValue
            self.code = code
            self.status = status
        }

        /// No kind of token has this name.
        public static let unknownKind = Self("UNKNOWN_KIND", 400, "INVALID_ARGUMENT")
        /// The kind needs an ID.
        public static let missingID = Self("MISSING_ID", 400, "INVALID_ARGUMENT")
        /// An ID breaks a rule.
        public static let invalidID = Self("INVALID_ID", 400, "INVALID_ARGUMENT")
        /// An ID was given that the kind doesn't take.
        public static let unexpectedID = Self("UNEXPECTED_ID", 400, "INVALID_ARGUMENT")
        /// The lifetime is no number or out of range.
        public static let invalidLifetime = Self("INVALID_LIFETIME", 400, "INVALID_ARGUMENT")
        /// The query has a parameter that is not known, or one twice.
        public static let invalidQuery = Self("INVALID_QUERY", 400, "INVALID_ARGUMENT")
        /// The path is not well-formed.
        public static let invalidPath = Self("INVALID_PATH", 400, "INVALID_ARGUMENT")
        /// The body is not the JSON that was expected.
        public static let invalidBody = Self("INVALID_BODY", 400, "INVALID_ARGUMENT")
        /// The request is not HTTP as it should be.
        public static let malformedRequest = Self("MALFORMED_REQUEST", 400, "INVALID_ARGUMENT")
        /// The request took too long to arrive.
        public static let requestTimeout = Self("REQUEST_TIMEOUT", 408, "DEADLINE_EXCEEDED")
        /// The body is too large.
        public static let bodyTooLarge = Self("BODY_TOO_LARGE", 413, "INVALID_ARGUMENT")
        /// The request target is too long.
        public static let targetTooLong = Self("TARGET_TOO_LONG", 414, "INVALID_ARGUMENT")
        /// The body is not JSON.
        public static let unsupportedMediaType = Self("UNSUPPORTED_MEDIA_TYPE", 415, "INVALID_ARGUMENT")
        /// The header fields are too large or too many.
        public static let headersTooLarge = Self("HEADERS_TOO_LARGE", 431, "INVALID_ARGUMENT")
        /// There is nothing at this path.
        public static let notFound = Self("NOT_FOUND", 404, "NOT_FOUND")
        /// The path exists, but not for this method.
        public static let methodNotAllowed = Self("METHOD_NOT_ALLOWED", 405, "UNIMPLEMENTED")
        /// The `Host` is not one that this service answers to.
        public static let hostNotAllowed = Self("HOST_NOT_ALLOWED", 403, "PERMISSION_DENIED")
        /// The caller didn't say who it is.
        public static let unauthenticated = Self("UNAUTHENTICATED", 401, "UNAUTHENTICATED")
        /// The caller said who it is, and cannot be believed.
        public static let invalidCredentials = Self("INVALID_CREDENTIALS", 401, "UNAUTHENTICATED")
        /// The caller said in two ways who it is.
        public static let multipleCredentials = Self("MULTIPLE_CREDENTIALS", 400, "INVALID_ARGUMENT")
        /// What is needed to find out who the caller is cannot be had now.
        public static let authenticationUnavailable = Self("AUTHENTICATION_UNAVAILABLE", 503, "UNAVAILABLE")
        /// This kind of token is not offered, or not to this caller.
        public static let kindNotGranted = Self("KIND_NOT_GRANTED", 403, "PERMISSION_DENIED")
        /// The caller may not have a token for this ID.
        public static let idNotGranted = Self("ID_NOT_GRANTED", 403, "PERMISSION_DENIED")
        /// The caller asked too often.
        public static let rateLimited = Self("RATE_LIMITED", 429, "RESOURCE_EXHAUSTED")
        /// There is more to do than can be done now.
        public static let overloaded = Self("OVERLOADED", 503, "UNAVAILABLE")
        /// What decides who may have the token doesn't answer.
        public static let authorizationUnavailable = Self("AUTHORIZATION_UNAVAILABLE", 503, "UNAVAILABLE")
        /// What signs tokens doesn't answer.
        public static let signerUnavailable = Self("SIGNER_UNAVAILABLE", 503, "UNAVAILABLE")
        /// The audit trail cannot be written, and no token leaves without it.
        public static let auditUnavailable = Self("AUDIT_UNAVAILABLE", 503, "UNAVAILABLE")
        /// The body comes in a transfer coding that is not known here.
        public static let unsupportedCoding = Self("UNSUPPORTED_CODING", 501, "UNIMPLEMENTED")
        /// A fault of ours; the log has it.
        public static let `internal` = Self("INTERNAL", 500, "INTERNAL")
    }
}
