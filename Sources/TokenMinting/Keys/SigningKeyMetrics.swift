package import FleetToken
import JOSE
package import Logging
package import ServiceSupport
import Synchronization

/// Shows which keys sign: in a metric, and in the log when another key signs.
package final class SigningKeyMetrics: Sendable {
    private let publish: @Sendable ([(labels: [(name: String, value: String)], value: Double)]) -> Void
    private let known = Mutex<[TokenKind: String]>([:])

    /// Creates the metric and declares it in a registry.
    package init(registry: PrometheusRegistry) {
        publish = registry.gauges("fleet_token_key_info", help: "The keys that sign tokens of each kind; always 1.")
    }

    /// Shows the keys of these signers, and no others.
    package func show(_ signers: [TokenKind: any TokenSigner], logger: Logger? = nil) {
        publish(
            signers.flatMap { kind, signer in
                signer.publicKeys.map { key in
                    // The whole ID, as in the log, the published keys and the audit trail.
                    (labels: [("kind", kind.rawValue), ("kid", key.keyID)], value: 1.0)
                }
            }
        )
        // Google rotates its keys by itself; the audit trail has the key of each signature.
        let current = signers.compactMapValues { $0.publicKeys.count == 1 ? $0.publicKeys[0].keyID : nil }
        let before = known.withLock { exchange(&$0, with: current) }
        for kind in TokenKind.allCases {
            // The first key is no change.
            guard let keyID = current[kind], let former = before[kind], keyID != former else { continue }
            logger?.notice("Signing key changed.", metadata: ["kind": "\(kind.rawValue)", "kid": "\(keyID)"])
        }
    }
}
