package import Metrics
package import ServiceSupport
import Synchronization

/// The gates of all signers, which outlive a reload.
package final class SigningGates: Sendable {
    /// A signer, and the key whose gate it is, if its keys have their own.
    private struct Name: Hashable {
        let signer: String
        let key: String?
    }

    private let factory: any MetricsFactory
    private let clock: ServiceClock
    private let gates = Mutex<[Name: FairGate]>([:])

    /// Creates the gates, which are made when they are first used.
    package init(metrics factory: any MetricsFactory, clock: ServiceClock) {
        self.factory = factory
        self.clock = clock
    }

    /// Returns the gate of a key.
    ///
    /// - Parameters:
    ///   - signer: What signs, for metrics.
    ///   - key: The key's name, if each key of this signer has a gate of its own.
    ///   - slots: The maximum number of signatures at once.
    ///   - duration: The assumed time of a signature until it is measured.
    /// - Returns: The same gate for the same signer and key.
    func gate(_ signer: String, key: String? = nil, slots: Int, duration: Duration) -> FairGate {
        gates.withLock { gates in
            let name = Name(signer: signer, key: key)
            if let known = gates[name] { return known }
            let new = FairGate(slots: slots, duration: duration, timers: timers(of: signer), clock: clock)
            gates[name] = new
            return new
        }
    }

    private func timers(of signer: String) -> FairGate.Timers {
        func timer(_ name: String, result: String? = nil) -> Timer {
            let labels = [("signer", signer)] + (result.map { [("result", $0)] } ?? [])
            return Timer(label: name, dimensions: labels, factory: factory)
        }
        return FairGate.Timers(
            waits: timer("fleet_token_sign_queue_seconds"),
            successes: timer("fleet_token_sign_duration_seconds", result: "signed"),
            failures: timer("fleet_token_sign_duration_seconds", result: "failed")
        )
    }
}
