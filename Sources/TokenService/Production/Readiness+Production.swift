import Telemetry
import TokenIssuance
import TokenMinting

extension Readiness {
    /// What has to be so before requests may come, and what an operator wants to know besides.
    static func production(
        _ current: Current<LoadedService>,
        _ missing: Warmup.Missing,
        _ unreachable: Warmup.Missing,
        _ status: ReloadStatus
    ) -> Readiness {
        Readiness(checks: [
            // Nothing is put in place of what serves before each of its keys has signed, if it could be asked to.
            ReadinessCheck(name: "keys") {
                let names = unreachable.names
                return names.isEmpty
                    ? nil : "\(names.joined(separator: ", ")) cannot be signed now. The log says what happens."
            },
            ReadinessCheck(name: "issuers") {
                let names = missing.names
                return names.isEmpty
                    ? nil
                    : "no keys yet of the issuers of \(names.joined(separator: ", ")). Check that they can be reached from here; the log says what happens."
            },
            ReadinessCheck(name: "audit") {
                do {
                    try await current.value.audit.check()
                    return nil
                } catch {
                    return "the audit trail cannot be written: \(OperatorMessage(error))"
                }
            },
            ReadinessCheck(name: "modules", isRequired: false) {
                let hangs = PKCS11Key.hangs
                return hangs.isEmpty ? nil : hangs.map(\.description).joined(separator: " ")
            },
            ReadinessCheck(name: "reload", isRequired: false) {
                status.failure.map { "what was loaded before keeps serving. \($0)" }
            },
            ReadinessCheck(name: "settings", isRequired: false) {
                status.forTheNextStart.map { "these take effect at the next start: \($0)" }
            },
        ])
    }
}
