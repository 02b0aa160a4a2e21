public import FleetToken
public import Telemetry

extension TokenKind: MetricLabel {
    /// `kind`.
    public static let labelName = "kind"
}

/// The result of a granted token request.
package enum MintResultLabel: String, MetricLabel {
    /// A token was signed.
    case signed
    /// A token that was signed before was issued again.
    case reused
    /// No token was issued, because of an internal error or a failed signer.
    case failed

    package static let labelName = "result"
}
