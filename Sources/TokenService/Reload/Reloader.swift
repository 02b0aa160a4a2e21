import FleetToken
import Logging
import ServiceLifecycle
import ServiceSupport
import UnixSignals

/// What a ``Reloader`` reloads.
protocol Reloadable: Sendable {
    /// Returns files as they are now.
    func snapshot(of paths: some Sequence<String>) -> FileSnapshot

    /// Loads what is to be read again and puts it in use, or reports the problems.
    func reload(_ trigger: ReloadTrigger) async -> ReloadOutcome

    /// Updates the metrics of what is in use, which also depend on the time.
    func showState()
}

/// Reloads the configuration on request, and the files that it names when they have changed, one reload at a time.
///
/// ## How it works
///
/// ```
/// each second ──► stat of the files ──► changed, and stable since the last look ──► load, build, test, swap
/// SIGHUP ──► read tokend.yaml ────────────────────────────────────────────────────►          │ any problem
///                                                                       the last good service keeps serving
/// ```
///
/// Files that cannot be loaded are tried again when one changes, and every ``retryTicks`` seconds; a configuration is read
/// again on request only. A removed credential is revoked even if the reload fails.
struct Reloader: Service, CustomStringConvertible {
    /// Sends triggers until it is cancelled; those that come during a reload count as one.
    typealias Triggers = @Sendable (AsyncStream<ReloadTrigger>.Continuation) async -> Void

    /// The number of ticks after which a failed reload is retried without a file change: the cause may be gone, such as
    /// too many open files.
    static let retryTicks = 30

    let service: any Reloadable
    /// The files, as they were before they were read first.
    let files: FileSnapshot
    let triggers: Triggers
    let status: ReloadStatus
    let metrics: ReloadMetrics
    let logger: Logger
    /// The service group logs this instead of all properties.
    let description = "Reloader"

    func run() async {
        let (stream, continuation) = AsyncStream.makeStream(
            of: ReloadTrigger.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await triggers(continuation)
                continuation.finish()
            }
            await follow(stream)
            group.cancelAll()
        }
    }

    /// Processes triggers until they end.
    func follow(_ triggers: AsyncStream<ReloadTrigger>) async {
        var watch = FileWatch(files)
        var ticksSinceFailure: Int?
        var mayBeLate = false
        for await trigger in triggers.cancelOnGracefulShutdown() {
            service.showState()
            // A tick that waited for the end of a reload may be directly before the next one: a file that is being written
            // would look the same.
            guard trigger == .request || !mayBeLate else {
                mayBeLate = false
                continue
            }
            ticksSinceFailure = ticksSinceFailure.map { $0 + 1 }
            let isDue = watch.isDue(service.snapshot(of: watch.known.keys))
            guard trigger == .request || isDue || ticksSinceFailure == Self.retryTicks else { continue }
            // A long reload must not delay shutdown, and its result is then irrelevant.
            let outcome = await cancelWhenGracefulShutdown { await service.reload(trigger) }
            guard !Task.isShuttingDownGracefully else { return }
            if let files = outcome.files { watch = FileWatch(files) }
            report(outcome, of: trigger)
            ticksSinceFailure = status.failure == nil ? nil : 0
            // The files that failed may be of a configuration that is not read any more: the next look loads.
            if outcome.files == nil, status.hasFailedFiles { ticksSinceFailure = Self.retryTicks - 1 }
            mayBeLate = true
            service.showState()
        }
    }

    private func report(_ outcome: ReloadOutcome, of trigger: ReloadTrigger) {
        let news = status.record(outcome, of: trigger)
        let isWhole = status.failure == nil
        for problem in news.problems {
            logger.error(
                "Reload failed: the last good configuration keeps serving.",
                metadata: ["problem": "\(problem)"]
            )
        }
        guard isWhole else {
            metrics.hasFailed()
            return
        }
        metrics.succeeded()
        logger.notice("Configuration reloaded.")
        for warning in outcome.warnings { logger.warning("\(warning)") }
        for setting in news.forTheNextStart {
            logger.warning("A changed setting takes effect at the next start.", metadata: ["setting": "\(setting)"])
        }
    }
}

extension Reloader {
    /// Returns a tick each second, and SIGHUP, the usual signal for a reload.
    ///
    /// Signals are trapped when it returns, so those that arrive before the reloader runs are not lost.
    static func system(clock: ServiceClock) async -> Triggers {
        let signals = await UnixSignalsSequence(trapping: .sighup)
        return { continuation in
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    for await _ in signals { continuation.yield(.request) }
                }
                group.addTask {
                    while (try? await clock.sleep(for: .seconds(1))) != nil { continuation.tick() }
                }
            }
        }
    }
}
