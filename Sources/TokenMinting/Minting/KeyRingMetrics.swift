package import FleetToken
import JOSE
package import Logging
package import ServiceSupport
import Synchronization

/// Shows which keys there are: in a metric, and in the log when another key signs.
package final class KeyRingMetrics: Sendable {
    private let publish: @Sendable ([(labels: [(name: String, value: String)], value: Double)]) -> Void
    private let signing = Mutex<[TokenKind: String]>([:])

    /// Creates the metric and declares it in a registry.
    package init(registry: PrometheusRegistry) {
        publish = registry.gauges(
            "fleet_token_key_info",
            help: "The keys of each kind and their state in the key ring; always 1."
        )
    }

    /// Shows the keys that there are at a time, and no others.
    package func show(_ rings: [TokenKind: KeyRing], at now: NumericDate, logger: Logger? = nil) {
        publish(
            rings.flatMap { kind, ring in
                ring.keys(at: now).map { state, key in
                    // The whole ID, as in the log, the published keys and the audit trail.
                    (labels: [("kind", kind.rawValue), ("kid", key.keyID), ("state", state.rawValue)], value: 1.0)
                }
            }
        )
        // Google rotates its keys by itself; the audit trail has the key of each signature.
        let current = rings.compactMapValues { ring in
            let keys = ring.signer(at: now).publicKeys
            return keys.count == 1 ? keys[0].keyID : nil
        }
        let before = signing.withLock { exchange(&$0, with: current) }
        for kind in TokenKind.allCases {
            // The first key is no change.
            guard let keyID = current[kind], let former = before[kind], keyID != former else { continue }
            logger?.notice("Signing key changed.", metadata: ["kind": "\(kind.rawValue)", "kid": "\(keyID)"])
        }
    }
}
