import Telemetry

/// The authentication method of a request.
enum CallerMethodLabel: String, MetricLabel {
    case jwt
    case apiKey = "api_key"
    case certificate
    /// In none of these ways, or in several.
    case none

    static let labelName = "method"

    init(_ method: Caller.Method) {
        self = Self(rawValue: method.rawValue) ?? .none
    }

    /// Creates the label for the method that failed with a code.
    init(_ code: AuthenticationFailure.Code) {
        self =
            switch code {
            case .noCredentials, .multipleCredentials, .unsupportedScheme, .malformedCredentials: .none
            case .malformedAPIKey, .unknownAPIKey, .expiredAPIKey: .apiKey
            case .unknownCertificate, .ambiguousCertificate: .certificate
            default: .jwt
            }
    }
}

/// The result of authentication: accepted, or the code that the log shows.
enum AuthenticationLabel: MetricLabel {
    case accepted
    case refused(AuthenticationFailure.Code)

    static let labelName = "result"
    static let allCases = [.accepted] + AuthenticationFailure.Code.allCases.map(Self.refused)

    var labelValue: String {
        switch self {
        case .accepted: "accepted"
        case .refused(let code): code.rawValue
        }
    }
}

/// Whether an issuer's keys were fetched.
enum KeySetResultLabel: String, MetricLabel {
    case fetched
    case failed

    static let labelName = "result"
}
