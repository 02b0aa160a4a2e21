import FleetToken
import ServiceSupport
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
struct DenialLabel: MetricLabel {
    private let reason: TokenError.Reason

    static let labelName = "reason"
    static let allCases = TokenError.Reason.all.map(Self.init)

    var labelValue: String { reason.rawValue }

    init(_ reason: TokenError.Reason) {
        self.reason = reason
    }
}
