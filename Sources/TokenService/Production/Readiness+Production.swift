import ServiceSupport
import TokenIssuance
import TokenMinting

extension Readiness {
    /// Returns the checks that must pass before requests are accepted, and additional information for operators.
    static func production(_ current: CurrentService, status: ReloadStatus) -> Readiness {
        Readiness {
            [keys(current.loaded)]
                + issuers(current)
                + [
                    audit(current),
                    ReadinessCheck(name: "clock") { current.shared.clock.problem },
                    ReadinessCheck(name: "reload", isRequired: false) {
                        status.failure.map { "the last good configuration keeps serving. \($0)" }
                    },
                    ReadinessCheck(name: "settings", isRequired: false) {
                        status.forTheNextStart.map { "these settings take effect at the next start: \($0)" }
                    },
                ]
        }
    }

    /// A configuration is activated only after each of its reachable keys has signed.
    ///
    /// While Google is unavailable, the other kinds are served.
    private static func keys(_ loaded: LoadedService) -> ReadinessCheck {
        let kinds = loaded.failingKinds
        return ReadinessCheck(name: "keys", isRequired: kinds.count >= loaded.signers.count) {
            kinds.isEmpty
                ? nil : "\(kinds.joined(separator: ", ")) cannot be signed now. See the log for the reason."
        }
    }

    private static func issuers(_ current: CurrentService) -> [ReadinessCheck] {
        let isRequired = !current.hasReachedIssuers
        return current.loaded.authenticator.jwts.remoteIssuers.sorted { $0.name < $1.name }.map { issuer in
            ReadinessCheck(name: "issuer \(issuer.name)", isRequired: isRequired) {
                issuer.hasKeys
                    ? nil
                    : "its keys cannot be fetched, and its callers get 503. Check that the issuer is reachable; see the log for the reason."
            }
        }
    }

    private static func audit(_ current: CurrentService) -> ReadinessCheck {
        ReadinessCheck(name: "audit") {
            do {
                try await current.loaded.audit.check()
                return nil
            } catch {
                return "writing the audit trail fails: \(OperatorMessage(error))"
            }
        }
    }
}
