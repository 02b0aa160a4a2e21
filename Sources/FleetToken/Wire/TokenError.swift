/// An invalid token request, or a request that a token server refuses.
///
/// Apps get it when they create an ID or a scope. A server's response reaches apps as the `serverReason` and the
/// message of a `TokenProviderError`. On the wire it is Google's error model (AIP-193). The message names no claim,
/// policy or key, and repeats no input.
public struct TokenError: Error, Hashable, Sendable {
    /// The reason for the error, which its description begins with.
    package let reason: Reason
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

extension TokenError: CustomStringConvertible {
    /// The reason and the message.
    public var description: String { "\(reason.rawValue): \(message)" }
}

extension TokenError {
    /// The reason for an error.
    package struct Reason: Hashable, Sendable {
        /// The name in capital letters and underscores, as in the `details[0].reason` of a server's response.
        package let rawValue: String

        package let code: Int

        private init(_ rawValue: String, _ code: Int) {
            self.rawValue = rawValue
            self.code = code
        }

        /// The name of the corresponding `google.rpc.Code`.
        package var status: String {
            switch code {
            case 401: "UNAUTHENTICATED"
            case 403: "PERMISSION_DENIED"
            case 404: "NOT_FOUND"
            case 405, 501: "UNIMPLEMENTED"
            case 408: "DEADLINE_EXCEEDED"
            case 429: "RESOURCE_EXHAUSTED"
            case 499: "CANCELLED"
            case 400..<500: "INVALID_ARGUMENT"
            case 503: "UNAVAILABLE"
            default: "INTERNAL"
            }
        }

        package static let unknownKind = Self("UNKNOWN_KIND", 400)
        /// The kind requires an ID.
        package static let missingID = Self("MISSING_ID", 400)
        /// An ID breaks a rule.
        package static let invalidID = Self("INVALID_ID", 400)
        /// An ID was given that the kind doesn't accept.
        package static let unexpectedID = Self("UNEXPECTED_ID", 400)
        package static let invalidLifetime = Self("INVALID_LIFETIME", 400)
        package static let invalidQuery = Self("INVALID_QUERY", 400)
        package static let invalidPath = Self("INVALID_PATH", 400)
        /// The body is not the expected JSON.
        package static let invalidBody = Self("INVALID_BODY", 400)
        package static let malformedRequest = Self("MALFORMED_REQUEST", 400)
        package static let requestTimeout = Self("REQUEST_TIMEOUT", 408)
        package static let bodyTooLarge = Self("BODY_TOO_LARGE", 413)
        package static let targetTooLong = Self("TARGET_TOO_LONG", 414)
        package static let unsupportedMediaType = Self("UNSUPPORTED_MEDIA_TYPE", 415)
        package static let headersTooLarge = Self("HEADERS_TOO_LARGE", 431)
        package static let notFound = Self("NOT_FOUND", 404)
        package static let methodNotAllowed = Self("METHOD_NOT_ALLOWED", 405)
        /// The service does not accept this `Host`.
        package static let hostNotAllowed = Self("HOST_NOT_ALLOWED", 403)
        package static let unauthenticated = Self("UNAUTHENTICATED", 401)
        package static let invalidCredentials = Self("INVALID_CREDENTIALS", 401)
        package static let multipleCredentials = Self("MULTIPLE_CREDENTIALS", 400)
        package static let authenticationUnavailable = Self("AUTHENTICATION_UNAVAILABLE", 503)
        /// The service does not issue this kind of token, or not to this caller.
        package static let kindNotGranted = Self("KIND_NOT_GRANTED", 403)
        /// The caller is not allowed to have a token for this ID.
        package static let idNotGranted = Self("ID_NOT_GRANTED", 403)
        package static let rateLimited = Self("RATE_LIMITED", 429)
        /// The client closed its side of the connection while the request waited.
        package static let clientClosedRequest = Self("CLIENT_CLOSED_REQUEST", 499)
        package static let overloaded = Self("OVERLOADED", 503)
        package static let authorizationUnavailable = Self("AUTHORIZATION_UNAVAILABLE", 503)
        package static let signerUnavailable = Self("SIGNER_UNAVAILABLE", 503)
        /// The service's clock is wrong, so that no token would be valid.
        package static let clockUnavailable = Self("CLOCK_UNAVAILABLE", 503)
        /// The audit trail cannot be written, and no token is issued without it.
        package static let auditUnavailable = Self("AUDIT_UNAVAILABLE", 503)
        package static let unsupportedCoding = Self("UNSUPPORTED_CODING", 501)
        /// An internal error; the log has the details.
        package static let `internal` = Self("INTERNAL", 500)

        /// All reasons.
        package static let all = [
            unknownKind, missingID, invalidID, unexpectedID, invalidLifetime, invalidQuery, invalidPath,
            invalidBody, malformedRequest, requestTimeout, bodyTooLarge, targetTooLong, unsupportedMediaType,
            headersTooLarge, notFound, methodNotAllowed, hostNotAllowed, unauthenticated, invalidCredentials,
            multipleCredentials, authenticationUnavailable, kindNotGranted, idNotGranted, rateLimited,
            clientClosedRequest, overloaded, authorizationUnavailable, signerUnavailable, clockUnavailable,
            auditUnavailable, unsupportedCoding, .internal,
        ]
    }
}

extension TokenError {
    /// The `domain` of the errors' `google.rpc.ErrorInfo`.
    package static let domain = "fleet-token"

    /// Returns the body of a response with this error.
    ///
    /// - Parameter requestID: The request ID in the log and the audit trail.
    /// - Returns: JSON in ASCII or UTF-8 on one line.
    package func encoded(requestID: String) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.name("error")
            writer.object { writer in
                writer.member("code", reason.code)
                writer.member("status", reason.status)
                writer.member("message", message)
                writer.name("details")
                writer.array { writer in
                    writer.object { writer in
                        writer.member("@type", "type.googleapis.com/google.rpc.ErrorInfo")
                        writer.member("reason", reason.rawValue)
                        writer.member("domain", Self.domain)
                        writer.name("metadata")
                        writer.object { writer in
                            writer.member("requestId", requestID)
                        }
                    }
                }
            }
        }
        return writer.bytes
    }
}
