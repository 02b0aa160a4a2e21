import FleetToken
import JOSE
import Logging
import Synchronization
import TokenMinting

/// Shows which keys there are: in a metric, and in the log when another one signs.
final class KeyDisplay: Sendable {
    private let metrics: ServiceMetrics
    private let logger: Logger
    private let signing = Mutex<[TokenKind: String]>([:])

    init(metrics: ServiceMetrics, logger: Logger) {
        self.metrics = metrics
        self.logger = logger
    }

    /// Shows the keys as they stand at a time.
    func show(_ rings: [TokenKind: KeyRing], at now: NumericDate) {
        metrics.show(rings, at: now)
        let current = rings.mapValues { $0.signer(at: now).jwk.keyID }
        let before = signing.withLock { signing in
            defer { signing = current }
            return signing
        }
        for kind in TokenKind.allCases {
            guard let keyID = current[kind], keyID != before[kind] else { continue }
            logger.notice("A key signs from now on.", metadata: ["kind": "\(kind.rawValue)", "kid": "\(keyID)"])
        }
    }
}
