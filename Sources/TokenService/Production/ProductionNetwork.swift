/// How the service reaches others.
struct ProductionNetwork: Sendable {
    /// Fetches an issuer's keys.
    let keySets: KeySetTransfer

    /// Reaches nobody: for looking at a configuration.
    static let none = ProductionNetwork(keySets: { _ in throw KeySetTransferError("The network is not used.") })
}
