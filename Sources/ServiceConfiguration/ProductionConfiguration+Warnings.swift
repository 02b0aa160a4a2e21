extension ProductionConfiguration {
    /// What may run, and would better be otherwise.
    package var warnings: [String] {
        guard isBehindTLSProxy, trustedProxies.isEmpty else { return [] }
        return [
            "service.trustedProxies: is empty, so every caller has the proxy's address: limits count all of them as one, and the audit trail can't tell them apart. Name the addresses that the proxy connects from."
        ]
    }
}
