extension ProductionConfiguration {
    /// Warnings about settings that are allowed but not recommended.
    package var warnings: [String] {
        guard isBehindTLSProxy, trustedProxies.isEmpty else { return [] }
        return [
            "service.trustedProxies: is empty, so all callers appear to have the proxy's address: they share one limit, and the audit trail cannot distinguish them. List the proxy's addresses."
        ]
    }
}
