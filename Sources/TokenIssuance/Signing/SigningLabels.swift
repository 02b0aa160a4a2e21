import Telemetry

/// The kind of signer.
package enum SignerLabel: String, MetricLabel {
    /// A key in this process.
    case local
    /// Google's IAM Credentials API.
    case iam
    /// A key in a PKCS#11 token.
    case pkcs11

    static let labelName = "signer"
}

/// The result of a signature.
package enum SignResultLabel: String, MetricLabel {
    case signed
    case failed

    static let labelName = "result"
}
