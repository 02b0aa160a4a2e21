import FleetToken
package import ServiceSupport
import TokenIssuance
import TokenMinting

extension ProductionConfiguration {
    /// Reports valid settings that must not run: undefined names and unsafe combinations.
    func check(_ problems: ConfigurationProblems) {
        checkListeners(problems)
        // Looked up by name: a scan for each grant would take the square of the file's size.
        let known = Dictionary(callers.map { ($0.name, $0) }) { first, _ in first }
        for grant in grants { check(grant, callers: known, problems) }
        let used = Set(grants.flatMap(\.webhooks))
        for webhook in webhooks where !used.contains(webhook.name) {
            problems.report("webhooks.\(webhook.name)", "is not used by any grant; remove it, or use it in a grant.")
        }
    }

    private func checkListeners(_ problems: ConfigurationProblems) {
        if !listen.isLoopback, !declared.tls, tls == nil, !isBehindTLSProxy {
            problems.report(
                "service.listen",
                "would send tokens unencrypted. Set service.tls, or service.behindTLSProxy: true if a proxy in front terminates TLS."
            )
        }
        if tls != nil || declared.tls, isBehindTLSProxy {
            problems.report("service.behindTLSProxy", "cannot be combined with service.tls; remove one.")
        }
        if listen.port != 0, listen == admin {
            problems.report("admin.listen", "must not be the same as service.listen.")
        }
    }

    private func check(
        _ grant: GrantConfiguration,
        callers known: [String: CallerConfiguration],
        _ problems: ConfigurationProblems
    ) {
        let path = "grants.\(grant.name)"
        var named: [CallerConfiguration] = []
        for name in grant.callers {
            guard let caller = known[name] else {
                if !declared.callers.contains(name) {
                    let question = Spelling.question(for: name, in: declared.callers)
                    problems.report("\(path).callers", "names \(name), which is not defined under callers.\(question)")
                }
                continue
            }
            named.append(caller)
        }
        for kind in grant.kinds where kinds[kind] == nil && !declared.kinds.contains(kind) {
            problems.report("\(path).kinds", "names \(kind.rawValue), which is not defined under kinds.")
        }
        for webhook in grant.webhooks where !declared.webhooks.contains(webhook) {
            problems.report(path, "uses the webhook \(webhook), which is not defined under webhooks.")
        }
        let usesClaims =
            !grant.conditions.isEmpty
            || [grant.ids, grant.tasks].contains { if case .claim? = $0 { true } else { false } }
        for caller in named where usesClaims && !caller.hasClaims {
            problems.report(
                "\(path).callers",
                "names \(caller.name), which has no claims, but this grant requires claims."
            )
        }
        checkPrivilege(grant, of: named, problems)
        if grant.tasks != nil, !grant.kinds.contains(.trustedDeliveryDriver) {
            problems.report("\(path).tasks", "is only for trusted_delivery_driver.")
        }
    }

    /// Reports a grant of access to everything for a caller that may not have it.
    private func checkPrivilege(
        _ grant: GrantConfiguration,
        of callers: [CallerConfiguration],
        _ problems: ConfigurationProblems
    ) {
        guard let kind = grant.kinds.first(where: \.isPrivileged) else { return }
        for caller in callers where !caller.isAdmin {
            problems.report(
                "grants.\(grant.name).callers",
                "names \(caller.name), but \(kind.rawValue) tokens give access to everything. Set callers.\(caller.name).admin: true if this caller needs them."
            )
        }
    }
}

extension GrantConfiguration {
    fileprivate var webhooks: [String] {
        [ids.webhook, tasks?.webhook].compactMap(\.self)
    }
}

extension ProductionConfiguration {
    /// Warnings about settings that are allowed but not recommended.
    package var warnings: [Problem] {
        var warnings: [Problem] = []
        if isBehindTLSProxy, trustedProxies.isEmpty {
            warnings.append(
                Problem(
                    "is empty, so all callers appear to have the proxy's address: they share one limit, and the audit trail cannot distinguish them. List the proxy's addresses.",
                    setting: "service.trustedProxies"
                )
            )
        }
        // On loopback without a proxy, the service is for programs of this machine that read the port from its log.
        let isForOthers = !listen.isLoopback || isBehindTLSProxy || tls != nil
        for (setting, address) in [("service.listen", listen), ("admin.listen", admin)]
        where address.port == 0 && isForOthers {
            warnings.append(
                Problem(
                    "has port 0, so the system chooses another port at each start. Set a port such as 8080.",
                    setting: setting
                )
            )
        }
        if listen.isLoopback, !isForOthers, !admin.isLoopback {
            warnings.append(
                Problem(
                    "is open to other machines, without TLS and authentication, while service.listen is not. Use 127.0.0.1.",
                    setting: "admin.listen"
                )
            )
        }
        return warnings + unusedNames
    }

    /// Warnings about callers and kinds that no grant names: all their requests are denied.
    private var unusedNames: [Problem] {
        guard isWhole else { return [] }
        guard !grants.isEmpty else { return [Problem("is empty, so every request is denied.", setting: "grants")] }
        let named = Set(grants.flatMap(\.callers))
        let granted = Set(grants.flatMap(\.kinds))
        return callers.filter { !named.contains($0.name) }.map {
            Problem(
                "no grant names this caller, so all its requests are denied. Add it to a grant, or remove it.",
                setting: "callers.\($0.name)"
            )
        }
            + TokenKind.allCases.filter { kinds[$0] != nil && !granted.contains($0) }.map {
                Problem(
                    "no grant allows this kind, so all requests for it are denied. Add it to a grant, or remove it.",
                    setting: "kinds.\($0.rawValue)"
                )
            }
    }
}
