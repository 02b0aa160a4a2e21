import Metrics
import ServiceSupport

/// The gate before the keys of one place: callers take turns, and each signature is measured.
package final class SigningGate: Sendable {
    private let gate: FairGate
    /// The time from a signature's turn to its result: that of a key in this process includes the wait for a thread.
    private let signed: Timer
    /// The same time of failed attempts.
    private let failed: Timer
    private let clock: ServiceClock

    /// Creates a gate.
    ///
    /// - Parameters:
    ///   - signer: What signs, for metrics.
    ///   - slots: The maximum number of signatures at once.
    ///   - duration: The assumed time of a signature until it is measured.
    ///   - factory: Makes the metrics.
    ///   - clock: The time.
    init(_ signer: String, slots: Int, duration: Duration, metrics factory: any MetricsFactory, clock: ServiceClock) {
        func timer(_ name: String, _ labels: (String, String)...) -> Timer {
            Timer(label: name, dimensions: [("signer", signer)] + labels, factory: factory)
        }
        signed = timer("fleet_token_sign_duration_seconds", ("result", "signed"))
        failed = timer("fleet_token_sign_duration_seconds", ("result", "failed"))
        gate = FairGate(slots: slots, duration: duration, delays: timer("fleet_token_sign_queue_seconds"), clock: clock)
        self.clock = clock
    }

    /// The number of signatures that wait.
    var waiting: Int { gate.waiting }

    /// Makes a signature as soon as it is its turn: a caller's, or for nil the service's own.
    ///
    /// - Throws: ``GateRefusal`` if it may not wait, `CancellationError` if the task is cancelled before it begins, or
    ///   the signature's error.
    func run<Signature>(for caller: String?, _ sign: () async throws -> Signature) async throws -> Signature {
        try await gate.run(for: caller) {
            let start = clock.monotonic
            do {
                let signature = try await sign()
                signed.record(duration: clock.duration(since: start))
                return signature
            } catch {
                // A client that has gone is no failure.
                if !(error is CancellationError) { failed.record(duration: clock.duration(since: start)) }
                throw error
            }
        }
    }
}
