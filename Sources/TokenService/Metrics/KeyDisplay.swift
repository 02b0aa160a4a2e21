import FleetToken
import JOSE
import Logging
import Synchronization
import TokenIssuance
import TokenMinting

/// Shows which keys there are and when credentials end: in metrics, and in the log when another key signs.
final class KeyDisplay: Sendable {
    private let metrics: ServiceMetrics
    private let logger: Logger
    private let signing = Mutex<[TokenKind: String]>([:])

    init(metrics: ServiceMetrics, logger: Logger) {
        self.metrics = metrics
        self.logger = logger
    }

    /// Shows the state of the keys and credentials at a time.
    func show(_ rings: [TokenKind: KeyRing], _ credentials: [ExpiringCredential] = [], at now: NumericDate) {
        metrics.show(rings, at: now)
        metrics.credentials.show(credentials, at: now)
        // Google rotates its keys by itself; the audit trail has the key of each signature.
        let current = rings.compactMapValues { ring in
            let keys = ring.signer(at: now).publicKeys
            return keys.count == 1 ? keys[0].keyID : nil
        }
        let before = signing.withLock { signing in
            defer { signing = current }
            return signing
        }
        for kind in TokenKind.allCases {
            // The first key is no change.
            guard let keyID = current[kind], let former = before[kind], keyID != former else { continue }
            logger.notice("Signing key changed.", metadata: ["kind": "\(kind.rawValue)", "kid": "\(keyID)"])
        }
    }
}
