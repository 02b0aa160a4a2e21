import FleetToken
import ServiceSupport

extension ProductionConfiguration {
    /// Warnings about settings that are allowed but not recommended.
    package var warnings: [String] {
        var warnings: [String] = []
        if isBehindTLSProxy, trustedProxies.isEmpty {
            warnings.append(
                "service.trustedProxies: is empty, so all callers appear to have the proxy's address: they share one limit, and the audit trail cannot distinguish them. List the proxy's addresses."
            )
        }
        // On loopback without a proxy, the service is for programs of this machine that read the port from its log.
        let isForOthers = !listen.isLoopback || isBehindTLSProxy || tls != nil
        for (setting, address) in [("service.listen", listen), ("admin.listen", admin)]
        where address.port == 0 && isForOthers {
            warnings.append(
                "\(setting): has port 0, so the system chooses another port at each start. Set a port such as 8080."
            )
        }
        return warnings + unusedNames
    }

    /// Warnings about callers and kinds that no grant names: all their requests are denied.
    private var unusedNames: [String] {
        guard isWhole else { return [] }
        guard !grants.isEmpty else { return ["grants: is empty, so every request is denied."] }
        let named = Set(grants.flatMap(\.callers).map(ConfigurationName.init))
        let granted = Set(grants.flatMap(\.kinds))
        return callers.filter { !named.contains(ConfigurationName($0.name)) }.map {
            "callers.\($0.name): no grant names this caller, so all its requests are denied. Add it to a grant, or remove it."
        }
            + TokenKind.allCases.filter { kinds[$0] != nil && !granted.contains($0) }.map {
                "kinds.\($0.rawValue): no grant allows this kind, so all requests for it are denied. Add it to a grant, or remove it."
            }
    }
}
