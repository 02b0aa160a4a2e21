import FleetToken
import Telemetry
import TokenIssuance

/// The requested kind of token, if any.
enum AskedKindLabel: MetricLabel {
    case kind(TokenKind)
    case unknown

    static let labelName = TokenKind.labelName
    static let allCases = TokenKind.allCases.map(Self.kind) + [.unknown]

    var labelValue: String {
        switch self {
        case .kind(let kind): kind.labelValue
        case .unknown: "unknown"
        }
    }
}

/// Why a token request was refused: the error reason in the response.
enum DenialLabel: String, MetricLabel {
    case unknownKind = "UNKNOWN_KIND"
    case missingID = "MISSING_ID"
    case invalidID = "INVALID_ID"
    case unexpectedID = "UNEXPECTED_ID"
    case invalidLifetime = "INVALID_LIFETIME"
    case invalidQuery = "INVALID_QUERY"
    case invalidBody = "INVALID_BODY"
    case hostNotAllowed = "HOST_NOT_ALLOWED"
    case unauthenticated = "UNAUTHENTICATED"
    case invalidCredentials = "INVALID_CREDENTIALS"
    case multipleCredentials = "MULTIPLE_CREDENTIALS"
    case authenticationUnavailable = "AUTHENTICATION_UNAVAILABLE"
    case kindNotGranted = "KIND_NOT_GRANTED"
    case idNotGranted = "ID_NOT_GRANTED"
    case authorizationUnavailable = "AUTHORIZATION_UNAVAILABLE"
    case rateLimited = "RATE_LIMITED"
    case overloaded = "OVERLOADED"
    case signerUnavailable = "SIGNER_UNAVAILABLE"
    case auditUnavailable = "AUDIT_UNAVAILABLE"
    case `internal` = "INTERNAL"
    case other = "_OTHER"

    static let labelName = "reason"

    /// Creates the label for an error's reason.
    init(_ reason: TokenError.Reason) {
        self = Self(rawValue: reason.rawValue) ?? .other
    }
}
