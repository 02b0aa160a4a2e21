import UnixSignals

extension Reloader {
    /// A look each second, and SIGHUP, which operators know for this.
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
