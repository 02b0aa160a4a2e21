/// What signs.
enum SignerLabel: String, MetricLabel {
    /// A key in this process.
    case local
    /// Google's IAM Credentials API.
    case iam

    static let labelName = "signer"
}

/// What became of a signature.
enum SignResultLabel: String, MetricLabel {
    case signed
    case failed

    static let labelName = "result"
}
