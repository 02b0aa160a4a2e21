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

    private let service: CurrentService
    private let fingerprint: @Sendable (_ path: String) -> FileFingerprint
    /// The configuration whose files are read next: the last one that was requested, or the one in use if that could not be
    /// read.
    private var configuration: ProductionConfiguration
    private(set) var watch: FileWatch
    private var isReloading = false
    /// Whether the configuration is to be read, which may be requested during a reload.
    private var isRequested = false
    /// The number of looks until a failed reload is retried; nil if the last one succeeded.
    private var looksUntilRetry: Int?
    nonisolated let description = "Reloader"

    /// Creates a reloader of a service that was just started.
    init(
        _ service: CurrentService,
        fingerprint: @escaping @Sendable (_ path: String) -> FileFingerprint = { FileFingerprint(of: $0) }
    ) {
        self.service = service
        self.fingerprint = fingerprint
        configuration = service.loaded.configuration
        watch = FileWatch(service.started.files)
    }

    private nonisolated var shared: SharedResources { service.shared }

    func run() async {
        // A long reload must not delay shutdown.
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await self.look()
                try? await self.shared.clock.sleep(for: .seconds(1))
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
        isRequested = true
        if !isReloading { await reload() }
    }

    /// Looks at the files, and reloads the service if they have changed or a retry is due.
    func look() async {
        service.showState()
        guard !isReloading else { return }
        looksUntilRetry = looksUntilRetry.map { $0 - 1 }
        let haveChanged = watch.isDue(FileSnapshot(of: watch.known.keys, fingerprint))
        if haveChanged || looksUntilRetry == 0 { await reload() }
    }

    private func reload() async {
        isReloading = true
        defer { isReloading = false }
        repeat { await reloadOnce() } while isRequested
    }

    /// Reads the files, and on request the configuration before them; puts the result in use, or withdraws credentials that
    /// are gone.
    private func reloadOnce() async {
        var status = shared.reloads.current
        if exchange(&isRequested, with: false) { status.configuration = readConfiguration() }
        let current = service.loaded
        // Before they are read: a change in between is then detected.
        let files = FileSnapshot(of: current.configuration.files + configuration.files, fingerprint)
        var warnings: [Problem] = []
        do throws(OperatorError) {
            let new = try await LoadedService.load(configuration, shared, replacing: current)
            // During shutdown the result is irrelevant, and may be of a reload that was cancelled.
            guard !Task.isCancelled else { return }
            service.use(new)
            let named = Set(configuration.files)
            watch = FileWatch(files.filter { named.contains($0.key) })
            warnings = new.source.warnings
            status.files = []
            status.hasRevoked = false
            status.requiringRestart = configuration.settingsRequiringRestart(since: service.started.configuration)
        } catch {
            guard !Task.isCancelled else { return }
            // The files in use matter as long as the new ones cannot be loaded.
            watch = FileWatch(files)
            status.files = error.problems
            for revocation in current.withdraw() {
                status.hasRevoked = true
                shared.logger.warning("A credential was revoked. \(revocation)")
            }
        }
        report(status, warnings: warnings)
        shared.reloads.current = status
        looksUntilRetry = status.problems.isEmpty ? nil : Self.retryLooks
        service.showState()
    }

    /// Reads the configuration; if it cannot be read, the files of the one in use are read next.
    ///
    /// - Returns: Why it cannot be read.
    private func readConfiguration() -> [Problem] {
        let started = service.started
        do throws(OperatorError) {
            configuration = try ProductionConfiguration(path: started.path, listen: started.listen, isReload: true)
            return []
        } catch {
            configuration = service.loaded.configuration
            return error.problems
        }
    }

    /// Logs what a reload has changed, so that nothing is reported twice.
    private func report(_ status: ReloadStatus.State, warnings: [Problem]) {
        let (before, logger) = (shared.reloads.current, shared.logger)
        for problem in status.problems where !before.problems.contains(problem) {
            logger.error("Reload failed: \(status.inUse).", metadata: ["problem": "\(problem)"])
        }
        guard status.problems.isEmpty else {
            shared.metrics.reloads.hasFailed()
            return
        }
        shared.metrics.reloads.succeeded()
        logger.notice("Configuration reloaded.")
        for warning in warnings { logger.warning("\(warning)") }
        for setting in status.requiringRestart where !before.requiringRestart.contains(setting) {
            logger.warning("A changed setting takes effect at the next start.", metadata: ["setting": "\(setting)"])
        }
    }
}
