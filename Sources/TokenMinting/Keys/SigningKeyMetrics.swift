package import FleetToken
import JOSE
package import Logging
package import Metrics
import ServiceSupport
import Synchronization

/// Shows which keys sign: in a metric, and in the log when another key signs.
package final class SigningKeyMetrics: Sendable {
    private struct Labels: MetricLabels {
        let kind: TokenKind
        /// The whole ID, as in the log, the published keys and the audit trail.
        let keyID: String

        var dimensions: [(String, String)] { [("kind", kind.rawValue), ("kid", keyID)] }
    }

    private let keys: MetricFamily<Labels, Meter>
    private let known = Mutex<[TokenKind: String]>([:])

    package init(factory: any MetricsFactory) {
        keys = MetricFamily("fleet_token_key_info", factory: factory)
    }

    /// Shows the keys of these signers, and no others.
    package func show(_ signers: [TokenKind: any TokenSigner], logger: Logger? = nil) {
        let labels = signers.flatMap { kind, signer in
            signer.publicKeys.map { Labels(kind: kind, keyID: $0.keyID) }
        }
        keys.replace(with: Dictionary(labels.map { ($0, 1) }) { first, _ in first })
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
