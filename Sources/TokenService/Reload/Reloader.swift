import FleetToken
import Logging
import ServiceLifecycle
import Telemetry

/// Why the files are looked at.
enum ReloadTrigger: Sendable {
    /// Time has passed: they are read if they have changed.
    case tick
    /// Somebody asks: they are read.
    case request
}

/// Reads everything anew when a file has changed or somebody asks, one time after the other.
struct Reloader: Service {
    /// Sends triggers until it is cancelled.
    typealias Triggers = @Sendable (AsyncStream<ReloadTrigger>.Continuation) async -> Void

    /// After how many ticks a failed reload is tried again, though no file has changed: what was in its way may be gone,
    /// such as too many open files.
    static let patience = 30

    /// The files, as they were before they were read first.
    let files: FileSnapshot
    let look: FileSnapshot.Look
    let triggers: Triggers
    /// Reads everything anew and puts it in place of what serves, or says why not.
    let reload: @Sendable () async -> ReloadOutcome
    /// Called at each trigger, for what depends on the time.
    let onTick: @Sendable () -> Void
    let status: ReloadStatus
    let now: @Sendable () -> NumericDate
    let metrics: ServiceMetrics
    let logger: Logger

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
            let isDue = watch.isDue(FileSnapshot(of: watch.known.paths, look))
            guard trigger == .request || isDue || ticksSinceFailure == Self.patience else { continue }
            // What takes long must not hold up the end, and what became of it then is of no interest.
            let outcome = await cancelWhenGracefulShutdown { await reload() }
            guard !Task.isShuttingDownGracefully else { return }
            watch.read(outcome.files)
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
                "A reload failed; what was loaded before keeps serving.",
                metadata: ["problem": "\(problem)"]
            )
        }
        guard outcome.problems.isEmpty else { return }
        metrics.lastReload.set(Double(now().seconds))
        logger.notice("The configuration and its files were read anew.")
        for warning in outcome.warnings { logger.warning("\(warning)") }
        for setting in news.forTheNextStart {
            logger.warning("A changed setting takes effect at the next start.", metadata: ["setting": "\(setting)"])
        }
    }
}

extension Reloader: CustomStringConvertible {
    /// What runs it logs this, and would otherwise log all that it is made of.
    var description: String { "Reloader" }
}
