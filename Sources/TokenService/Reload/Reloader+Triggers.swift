import ServiceSupport
import UnixSignals

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
