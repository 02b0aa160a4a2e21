import ServiceSupport
import TokenIssuance
import TokenMinting

extension Readiness {
    /// Returns the checks that must pass before requests are accepted, and additional information for operators.
    ///
    /// - Parameters:
    ///   - current: The active configuration's service.
    ///   - signers: Tests the keys that have not signed yet.
    ///   - status: The last reload.
    /// - Returns: The checks.
    static func production(
        _ current: CurrentService,
        signers: Warmup,
        status: ReloadStatus
    ) -> Readiness {
        Readiness {
            [keys(signers.missing, of: current)]
                + issuers(current.loaded.authenticator.tokens)
                + [audit(current), clock(current.shared.clock), modules] + reload(status)
        }
    }

    /// A configuration is activated only after each of its reachable keys has signed.
    ///
    /// While Google or a token with some keys is unavailable, the other kinds are served.
    private static func keys(_ unreachable: Warmup.Missing, of current: CurrentService) -> ReadinessCheck {
        let names = unreachable.names
        return ReadinessCheck(name: "keys", isRequired: names.count >= current.loaded.rings.count) {
            names.isEmpty
                ? nil : "\(names.joined(separator: ", ")) cannot be signed now. See the log for the reason."
        }
    }

    /// An unavailable issuer affects only its own callers.
    private static func issuers(_ tokens: JWTAuthenticator) -> [ReadinessCheck] {
        tokens.remoteIssuers.map { issuer in
            ReadinessCheck(name: "issuer \(issuer.name)", isRequired: false) {
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

    private static func clock(_ clock: ServiceClock) -> ReadinessCheck {
        ReadinessCheck(name: "clock") { clock.problem }
    }

    private static var modules: ReadinessCheck {
        ReadinessCheck(name: "modules", isRequired: false) {
            let hangs = PKCS11Key.hangs
            return hangs.isEmpty ? nil : hangs.map(\.description).joined(separator: " ")
        }
    }

    private static func reload(_ status: ReloadStatus) -> [ReadinessCheck] {
        [
            ReadinessCheck(name: "reload", isRequired: false) {
                status.failure.map { "the last good configuration keeps serving. \($0)" }
            },
            ReadinessCheck(name: "settings", isRequired: false) {
                status.forTheNextStart.map { "these settings take effect at the next start: \($0)" }
            },
        ]
    }
}
