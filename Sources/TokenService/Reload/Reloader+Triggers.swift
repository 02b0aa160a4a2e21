import UnixSignals

extension Reloader {
    /// A tick each second, and SIGHUP, the usual signal for a reload.
    static let system: Triggers = { continuation in
        let signals = await UnixSignalsSequence(trapping: .sighup)
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await _ in signals { continuation.yield(.request) }
            }
            group.addTask {
                while (try? await Task.sleep(for: .seconds(1))) != nil { continuation.yield(.tick) }
            }
        }
    }
}
