/// A request for a token that isn't valid, or that a token server refuses.
///
/// Apps meet it where they make an ID or a scope. What a server answers reaches them as the `serverReason` and the message of
/// a `TokenProviderError`. On the wire it is Google's error model (AIP-193). Its message names no claim, policy or key, and
/// repeats nothing that the caller sent.
public struct TokenRequestError: Error, Hashable, Sendable {
    /// Why.
    public let reason: Reason
    /// What to do about it, in English, for a developer.
    public let message: String
    /// When trying again makes sense, in seconds.
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
    /// A reason.
    ///
    /// Reasons may be added.
    public struct Reason: Hashable, Sendable {
        /// Its name in capitals and underscores, as in the `details[0].reason` of a server's answer.
        public let rawValue: String
        /// The HTTP status code that goes with it.
        package let code: Int
        /// The name of the `google.rpc.Code` that goes with it.
        package let status: String

        private init(_ rawValue: String, _ code: Int, _ status: String) {
            self.rawValue = rawValue
            self.code = code
            self.status = status
        }

        /// No kind of token has this name.
        package static let unknownKind = Self("UNKNOWN_KIND", 400, "INVALID_ARGUMENT")
        /// The kind needs an ID.
        public static let missingID = Self("MISSING_ID", 400, "INVALID_ARGUMENT")
        /// An ID breaks a rule.
        public static let invalidID = Self("INVALID_ID", 400, "INVALID_ARGUMENT")
        /// An ID was given that the kind doesn't take.
        public static let unexpectedID = Self("UNEXPECTED_ID", 400, "INVALID_ARGUMENT")
        /// The lifetime is no number or out of range.
        package static let invalidLifetime = Self("INVALID_LIFETIME", 400, "INVALID_ARGUMENT")
        /// The query has a parameter that is not known, or one twice.
        package static let invalidQuery = Self("INVALID_QUERY", 400, "INVALID_ARGUMENT")
        /// The path is not well-formed.
        package static let invalidPath = Self("INVALID_PATH", 400, "INVALID_ARGUMENT")
        /// The body is not the JSON that was expected.
        package static let invalidBody = Self("INVALID_BODY", 400, "INVALID_ARGUMENT")
        /// The request is not HTTP as it should be.
        package static let malformedRequest = Self("MALFORMED_REQUEST", 400, "INVALID_ARGUMENT")
        /// The request took too long to arrive.
        package static let requestTimeout = Self("REQUEST_TIMEOUT", 408, "DEADLINE_EXCEEDED")
        /// The body is too large.
        package static let bodyTooLarge = Self("BODY_TOO_LARGE", 413, "INVALID_ARGUMENT")
        /// The request target is too long.
        package static let targetTooLong = Self("TARGET_TOO_LONG", 414, "INVALID_ARGUMENT")
        /// The body is not JSON.
        package static let unsupportedMediaType = Self("UNSUPPORTED_MEDIA_TYPE", 415, "INVALID_ARGUMENT")
        /// The header fields are too large or too many.
        package static let headersTooLarge = Self("HEADERS_TOO_LARGE", 431, "INVALID_ARGUMENT")
        /// There is nothing at this path.
        package static let notFound = Self("NOT_FOUND", 404, "NOT_FOUND")
        /// The path exists, but not for this method.
        package static let methodNotAllowed = Self("METHOD_NOT_ALLOWED", 405, "UNIMPLEMENTED")
        /// The `Host` is not one that this service answers to.
        package static let hostNotAllowed = Self("HOST_NOT_ALLOWED", 403, "PERMISSION_DENIED")
        /// The caller didn't say who it is.
        package static let unauthenticated = Self("UNAUTHENTICATED", 401, "UNAUTHENTICATED")
        /// The caller said who it is, and cannot be believed.
        package static let invalidCredentials = Self("INVALID_CREDENTIALS", 401, "UNAUTHENTICATED")
        /// The caller said in two ways who it is.
        package static let multipleCredentials = Self("MULTIPLE_CREDENTIALS", 400, "INVALID_ARGUMENT")
        /// What is needed to find out who the caller is cannot be had now.
        package static let authenticationUnavailable = Self("AUTHENTICATION_UNAVAILABLE", 503, "UNAVAILABLE")
        /// This kind of token is not offered, or not to this caller.
        package static let kindNotGranted = Self("KIND_NOT_GRANTED", 403, "PERMISSION_DENIED")
        /// The caller may not have a token for this ID.
        package static let idNotGranted = Self("ID_NOT_GRANTED", 403, "PERMISSION_DENIED")
        /// The caller asked too often.
        package static let rateLimited = Self("RATE_LIMITED", 429, "RESOURCE_EXHAUSTED")
        /// There is more to do than can be done now.
        package static let overloaded = Self("OVERLOADED", 503, "UNAVAILABLE")
        /// What decides who may have the token doesn't answer.
        package static let authorizationUnavailable = Self("AUTHORIZATION_UNAVAILABLE", 503, "UNAVAILABLE")
        /// What signs tokens doesn't answer.
        package static let signerUnavailable = Self("SIGNER_UNAVAILABLE", 503, "UNAVAILABLE")
        /// The audit trail cannot be written, and no token leaves without it.
        package static let auditUnavailable = Self("AUDIT_UNAVAILABLE", 503, "UNAVAILABLE")
        /// The body comes in a transfer coding that is not known here.
        package static let unsupportedCoding = Self("UNSUPPORTED_CODING", 501, "UNIMPLEMENTED")
        /// A fault of ours; the log has it.
        package static let `internal` = Self("INTERNAL", 500, "INTERNAL")
    }
}

/// What the service calls it.
package typealias TokenError = TokenRequestError
