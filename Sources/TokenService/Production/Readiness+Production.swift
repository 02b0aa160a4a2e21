import Telemetry
import TokenIssuance
import TokenMinting

extension Readiness {
    /// Returns the checks that must pass before requests are accepted, and additional information for operators.
    static func production(
        _ current: Current<LoadedService>,
        _ missing: Warmup.Missing,
        _ unreachable: Warmup.Missing,
        _ status: ReloadStatus
    ) -> Readiness {
        Readiness(checks: [
            // A configuration is activated only after each of its reachable keys has signed.
            ReadinessCheck(name: "keys") {
                let names = unreachable.names
                return names.isEmpty
                    ? nil : "\(names.joined(separator: ", ")) cannot be signed now. See the log for the reason."
            },
            ReadinessCheck(name: "issuers") {
                let names = missing.names
                return names.isEmpty
                    ? nil
                    : "the keys of the issuers of \(names.joined(separator: ", ")) have not been fetched. Check that the issuers are reachable; see the log for the reason."
            },
            ReadinessCheck(name: "audit") {
                do {
                    try await current.value.audit.check()
                    return nil
                } catch {
                    return "writing the audit trail fails: \(OperatorMessage(error))"
                }
            },
            ReadinessCheck(name: "modules", isRequired: false) {
                let hangs = PKCS11Key.hangs
                return hangs.isEmpty ? nil : hangs.map(\.description).joined(separator: " ")
            },
            ReadinessCheck(name: "reload", isRequired: false) {
                status.failure.map { "the last good configuration keeps serving. \($0)" }
            },
            ReadinessCheck(name: "settings", isRequired: false) {
                status.forTheNextStart.map { "these settings take effect at the next start: \($0)" }
            },
        ])
    }
}
