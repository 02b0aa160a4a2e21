package import Metrics
package import ServiceSupport
import Synchronization

/// The gates before all signers, which outlive a reload.
package final class SigningGates: Sendable {
    private let factory: any MetricsFactory
    private let clock: ServiceClock
    private let gates = Mutex<[String: SigningGate]>([:])

    /// Creates the gates, which are made when they are first used.
    package init(metrics factory: any MetricsFactory, clock: ServiceClock) {
        self.factory = factory
        self.clock = clock
    }

    /// Returns the gate before a key.
    ///
    /// - Parameters:
    ///   - signer: What signs, for metrics.
    ///   - key: The key's name, if each key of this signer has a gate of its own.
    ///   - slots: The maximum number of signatures at once.
    ///   - duration: The assumed time of a signature until it is measured.
    /// - Returns: The same gate for the same signer and key.
    func gate(_ signer: String, key: String = "", slots: Int, duration: Duration) -> SigningGate {
        gates.withLock { gates in
            let name = "\(signer) \(key)"
            if let known = gates[name] { return known }
            let new = SigningGate(signer, slots: slots, duration: duration, metrics: factory, clock: clock)
            gates[name] = new
            return new
        }
    }
}
