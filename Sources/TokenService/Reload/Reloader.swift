import FleetToken
import Logging
import ServiceLifecycle
import ServiceSupport
import UnixSignals

/// Reloads everything when a file has changed or on request, one reload at a time.
///
/// ## How it works
///
/// ```
/// each second ──► stat of all files ──► changed, and stable since the last look ──► load, build, test, swap
/// SIGHUP ─────────────────────────────────────────────────────────────────────────►          │ any problem
///                                                                       the last good service keeps serving
/// ```
///
/// A failed reload is repeated when a file changes, and every ``patience`` seconds. A removed credential is revoked even if
/// the reload fails.
struct Reloader: Service, CustomStringConvertible {
    /// Sends triggers until it is cancelled.
    typealias Triggers = @Sendable (AsyncStream<ReloadTrigger>.Continuation) async -> Void

    /// The number of ticks after which a failed reload is retried without a file change: the cause may be gone, such as
    /// too many open files.
    static let patience = 30

    /// The files, as they were before they were read first.
    let files: FileSnapshot
    var look: FileSnapshot.Look = { FileFingerprint(of: $0) }
    let triggers: Triggers
    /// Reloads everything and replaces the running service, or reports the problems.
    let reload: @Sendable () async -> ReloadOutcome
    /// Called at each trigger, for everything that depends on the time.
    let onTick: @Sendable () -> Void
    var status = ReloadStatus()
    let clock: ServiceClock
    let metrics: ServiceMetrics
    let logger: Logger
    /// The service group logs this instead of all properties.
    let description = "Reloader"

    func run() async {
        let (stream, continuation) = AsyncStream.makeStream(of: ReloadTrigger.self)
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await triggers(continuation)
                continuation.finish()
            }
            await follow(stream)
            group.cancelAll()
        }
    }

    private func follow(_ triggers: AsyncStream<ReloadTrigger>) async {
        var watch = FileWatch(files)
        var ticksSinceFailure: Int?
        for await trigger in triggers.cancelOnGracefulShutdown() {
            onTick()
            ticksSinceFailure = ticksSinceFailure.map { $0 + 1 }
            let isDue = watch.isDue(FileSnapshot(of: watch.known.keys, look))
            guard trigger == .request || isDue || ticksSinceFailure == Self.patience else { continue }
            // A long reload must not delay shutdown, and its result is then irrelevant.
            let outcome = await cancelWhenGracefulShutdown { await reload() }
            guard !Task.isShuttingDownGracefully else { return }
            watch = FileWatch(outcome.files)
            ticksSinceFailure = outcome.problems.isEmpty ? nil : 0
            report(outcome)
            onTick()
        }
    }

    private func report(_ outcome: ReloadOutcome) {
        let news = status.record(outcome)
        metrics.reloads[outcome.problems.isEmpty ? .loaded : .failed].increment()
        for problem in news.problems {
            logger.error(
                "Reload failed: the last good configuration keeps serving.",
                metadata: ["problem": "\(problem)"]
            )
        }
        guard outcome.problems.isEmpty else { return }
        metrics.lastReload.set(Double(clock.now.seconds))
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
                    while (try? await clock.sleep(for: .seconds(1))) != nil { continuation.yield(.tick) }
                }
            }
        }
    }
}
