package import Logging
package import Metrics
import NIOPosix
package import ServiceSupport

/// Signs with the keys in this process, on one thread for each core, while callers take turns.
///
/// On the thread that serves a request, a signature would delay all its other requests.
package final class SigningPool: Sendable {
    /// The time of a signature on an x86-64 core at 3 GHz, until it is measured.
    private static let signatureDuration = Duration.microseconds(250)
    /// How many signatures each thread has at hand: while the result of one is delivered, it makes the next.
    private static let slotsPerThread = 2

    let factory: any MetricsFactory
    let logger: Logger
    let clock: ServiceClock
    private let threads: NIOThreadPool
    private let metrics: SigningMetrics
    private let admission: Admission

    /// Creates a pool, and starts its threads.
    package init(threads count: Int, metrics factory: any MetricsFactory, logger: Logger, clock: ServiceClock) {
        self.factory = factory
        metrics = SigningMetrics(.local, factory: factory)
        self.logger = logger
        self.clock = clock
        threads = NIOThreadPool(numberOfThreads: count)
        admission = Admission(
            slots: count * Self.slotsPerThread,
            duration: Self.signatureDuration * Self.slotsPerThread,
            delays: metrics.queue,
            clock: clock
        )
        threads.start()
    }

    deinit { threads.shutdownGracefully { _ in } }

    /// The number of signatures that wait.
    var waiting: Int { admission.waiting }

    /// Makes a signature as soon as it is its turn: a caller's, or for nil the service's own.
    ///
    /// - Throws: ``AdmissionRefusal`` if it may not wait, `CancellationError` if the task is cancelled before it begins, or
    ///   the signature's error.
    func run<Signed: Sendable>(
        for caller: String?,
        _ sign: @escaping @Sendable () throws -> Signed
    ) async throws -> Signed {
        try await admission.run(for: caller) {
            try await threads.runIfActive { [metrics, clock] in
                let start = clock.monotonic
                let result = Result { try sign() }
                metrics.record(result, after: clock.duration(since: start))
                return try result.get()
            }
        }
    }
}
