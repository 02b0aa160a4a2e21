package import FleetToken
import Telemetry

extension TokenKind: MetricLabel {
    static let labelName = "kind"
}

/// What became of a granted request for a token.
package enum MintResultLabel: String, MetricLabel {
    /// A token was signed.
    case signed
    /// A token that was signed before was handed out again.
    case reused
    /// There is no token, through a fault of ours or of what signs.
    case failed

    static let labelName = "result"
}
