import Telemetry

/// How a request says who asks.
enum CallerMethodLabel: String, MetricLabel {
    case jwt
    case apiKey = "api_key"
    case certificate
    /// In none of these ways, or in several.
    case none

    static let labelName = "method"

    /// The label for a caller's method.
    init(_ method: Caller.Method) {
        self = Self(rawValue: method.rawValue) ?? .none
    }

    /// The way that was tried when it failed so.
    init(_ code: AuthenticationFailure.Code) {
        self =
            switch code {
            case .noCredentials, .multipleCredentials, .unsupportedScheme, .malformedCredentials: .none
            case .unknownAPIKey, .expiredAPIKey: .apiKey
            case .unknownCertificate, .ambiguousCertificate: .certificate
            default: .jwt
            }
    }
}

/// Whether it is known who asks, and if not, why: the code that the log has.
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

/// Whether an issuer's keys could be had.
enum KeySetResultLabel: String, MetricLabel {
    case fetched
    case failed

    static let labelName = "result"
}
