import Logging
import ServiceLifecycle
import ServiceSupport
import Synchronization
import TokenService

/// Runs the service until a signal stops it; requests in progress are completed.
enum ServiceRunner {
    /// Runs the service.
    ///
    /// A second signal ends the process immediately, with a shell's exit status for signals.
    static func run(_ service: TokenServer, logger: Logger) async throws {
        let group = ServiceGroup(configuration: .init(services: [.init(service: service)], logger: logger))
        EndingSignals.handle(within: service.longestEnd + .seconds(2)) {
            logger.info("Shutting down. A second signal ends the process immediately.")
            Task { await group.triggerGracefulShutdown() }
        }
        // Past its limit, a write to a file must fail and not end the process.
        signal(SIGXFSZ, SIG_IGN)
        defer { LineWriter.flushAll() }
        try await group.run()
    }
}

/// Handles SIGTERM and SIGINT: the first starts the shutdown, the second ends the process immediately.
///
/// The second signal needs no thread, so it works even if the system cannot create one. The same is true for SIGALRM,
/// which ends a process whose shutdown takes too long.
enum EndingSignals {
    private static let count = Atomic<Int>(0)
    /// How long after the first signal SIGALRM comes, in seconds.
    private static let deadline = Atomic<UInt32>(0)
    /// The writing end of the pipe that reports the first signal.
    private static let firstSignal = Atomic<Int32>(-1)

    /// Starts handling the signals.
    static func handle(within deadline: Duration, _ end: @escaping @Sendable () -> Void) {
        var ends: [Int32] = [-1, -1]
        // Without a pipe, signals keep their default action, which ends the process.
        guard pipe(&ends) == 0 else { return }
        let reader = ends[0]
        // Initializes them now: an initializer may not run in a signal handler.
        count.store(0, ordering: .relaxed)
        firstSignal.store(ends[1], ordering: .relaxed)
        Self.deadline.store(UInt32(clamping: deadline.components.seconds), ordering: .relaxed)
        // Starts the thread now, while the system can create one.
        Worker().run {
            var byte: UInt8 = 0
            while read(reader, &byte, 1) == -1, errno == EINTR {}
            end()
        }
        signal(SIGTERM, handler)
        signal(SIGINT, handler)
    }

    /// Calls only async-signal-safe functions.
    private static let handler: @convention(c) (Int32) -> Void = { number in
        guard count.add(1, ordering: .relaxed).oldValue == 0 else { _exit(128 + number) }
        let error = errno
        alarm(deadline.load(ordering: .relaxed))
        var byte: UInt8 = 0
        _ = write(firstSignal.load(ordering: .relaxed), &byte, 1)
        errno = error
    }
}
