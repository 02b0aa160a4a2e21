import FleetToken
import ServiceSupport
import TokenIssuance
import TokenMinting

extension Readiness {
    /// Creates the checks that must pass before requests are accepted, and additional information for operators.
    init(
        keys: SigningTest,
        authenticator: CallerAuthenticator,
        audit: AuditTrail,
        _ shared: SharedResources
    ) {
        self.init(shared.lifecycle) {
            [Self.check(keys)]
                + Self.issuers(of: authenticator, shared.lifecycle)
                + [Self.check(audit), Check(name: "clock") { shared.clock.problem }]
                + Self.checks(of: shared.reloads.current)
        }
    }

    private static func checks(of reloads: ReloadStatus.State) -> [Check] {
        let problems = reloads.problems.map(\.description).joined(separator: "; ")
        let settings = reloads.requiringRestart.joined(separator: ", ")
        return [
            Check(name: "reload", isRequired: false) { problems.isEmpty ? nil : "\(reloads.inUse). \(problems)" },
            Check(name: "settings", note: settings.isEmpty ? nil : "waiting for the next start: \(settings)") { nil },
        ]
    }

    /// A configuration is activated only after each of its reachable keys has signed.
    ///
    /// While Google is unavailable, the other kinds are served.
    private static func check(_ keys: SigningTest) -> Check {
        let kinds = keys.failing.map(\.rawValue)
        return Check(name: "keys", isRequired: kinds.count >= keys.signers.count) {
            kinds.isEmpty
                ? nil : "\(kinds.joined(separator: ", ")) cannot be signed now. See the log for the reason."
        }
    }

    private static func issuers(of authenticator: CallerAuthenticator, _ lifecycle: Lifecycle) -> [Check] {
        let isRequired = !lifecycle.hasReachedIssuers
        return authenticator.jwts.remoteIssuers.sorted { $0.name < $1.name }.map { issuer in
            Check(name: "issuer \(issuer.name)", isRequired: isRequired) {
                issuer.hasKeys
                    ? nil
                    : "its keys cannot be fetched, and its callers get 503. Check that the issuer is reachable; see the log for the reason."
            }
        }
    }

    private static func check(_ audit: AuditTrail) -> Check {
        Check(name: "audit") {
            do {
                try await audit.check()
                return nil
            } catch {
                return "writing the audit trail fails: \(OperatorMessage(error))"
            }
        }
    }
}
