import FleetToken
import Logging
import ServiceLifecycle
import ServiceSupport
import UnixSignals

/// Reloads the configuration on request, and the files that it names when they have changed.
///
/// ## How it works
///
/// ```
/// each second ──► stat of the files ──► changed, and stable since the last look ──► load, build, test, swap
/// SIGHUP ──► read tokend.yaml ────────────────────────────────────────────────────►          │ any problem
///                                                                       the last good service keeps serving
/// ```
///
/// The looks are a second apart, however long a reload takes. A request during a reload leads to one more.
///
/// Files that cannot be loaded are tried again when one changes, and after ``retryLooks`` looks; a configuration is read
/// again on request only. A removed credential is revoked even if the reload fails.
actor Reloader: Service, CustomStringConvertible {
    /// The number of looks after which a failed reload is retried without a file change: the cause may be gone, such as
    /// too many open files.
    static let retryLooks = 30

    private let service: any Reloadable
    private let status: ReloadStatus
    private let metrics: ReloadMetrics
    private let clock: ServiceClock
    private let logger: Logger
    private var watch: FileWatch
    private var isReloading = false
    /// Whether a reload was requested during the current one, which may have read the files already.
    private var isRequested = false
    /// The number of looks until a failed reload is retried; nil if the last one succeeded.
    private var looksUntilRetry: Int?
    nonisolated let description = "Reloader"

    /// Creates a reloader.
    ///
    /// - Parameters:
    ///   - service: What it reloads.
    ///   - files: The files of the service, as they were before they were read first.
    ///   - status: Where it reports the last reload.
    ///   - metrics: Where it counts reloads.
    ///   - clock: The clock.
    ///   - logger: The service's logger.
    init(
        _ service: any Reloadable,
        files: FileSnapshot,
        status: ReloadStatus,
        metrics: ReloadMetrics,
        clock: ServiceClock,
        logger: Logger
    ) {
        self.service = service
        self.status = status
        self.metrics = metrics
        self.clock = clock
        self.logger = logger
        watch = FileWatch(files)
    }

    func run() async {
        // A long reload must not delay shutdown.
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await self.look()
                try? await self.clock.sleep(for: .seconds(1))
            }
        }
    }

    /// Reads the configuration and its files at each signal, until shutdown.
    nonisolated func follow(_ signals: UnixSignalsSequence) async {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                for await _ in signals { group.addTask { await self.request() } }
            }
        }
    }

    /// Reads the configuration and its files, or lets the current reload read them again.
    func request() async {
        guard !isReloading else {
            isRequested = true
            return
        }
        await reload(.request)
    }

    /// Looks at the files, and reloads the service if they have changed or a retry is due.
    func look() async {
        service.showState()
        guard !isReloading else { return }
        looksUntilRetry = looksUntilRetry.map { $0 - 1 }
        let haveChanged = watch.isDue(service.snapshot(of: watch.known.keys))
        if haveChanged || looksUntilRetry == 0 { await reload(.tick) }
    }

    private func reload(_ first: ReloadTrigger) async {
        isReloading = true
        defer { isReloading = false }
        await reloadOnce(first)
        while isRequested {
            isRequested = false
            await reloadOnce(.request)
        }
    }

    private func reloadOnce(_ trigger: ReloadTrigger) async {
        let outcome = await service.reload(trigger)
        // During shutdown the result is irrelevant, and may be of a reload that was cancelled.
        guard !Task.isCancelled else { return }
        if let files = outcome.files { watch = FileWatch(files) }
        report(outcome, of: trigger)
        // The files that failed may be of a configuration that is not read any more: the next look loads.
        let isNextDue = outcome.files == nil && status.hasFailedFiles
        looksUntilRetry = status.failure == nil ? nil : isNextDue ? 1 : Self.retryLooks
        service.showState()
    }

    private func report(_ outcome: ReloadOutcome, of trigger: ReloadTrigger) {
        let news = status.record(outcome, of: trigger)
        for problem in news.problems {
            logger.error("Reload failed: \(status.inUse).", metadata: ["problem": "\(problem)"])
        }
        guard status.failure == nil else {
            metrics.hasFailed()
            return
        }
        metrics.succeeded()
        logger.notice("Configuration reloaded.")
        for warning in outcome.warnings { logger.warning("\(warning)") }
        for setting in news.requiringRestart {
            logger.warning("A changed setting takes effect at the next start.", metadata: ["setting": "\(setting)"])
        }
    }
}
