import Synchronization
import TokenMinting

/// The lines of a trail, each numbered and with the SHA-256 of the one before, on their way to the sink.
final class AuditChain: Sendable {
    private struct State {
        /// Where the trail stands when all that was added is written.
        var position: AuditTrail.Position
        /// The lines that are to be written next; nil while there are none.
        var batch: AuditBatch?
    }

    private let sink: any AuditSink
    private let state: Mutex<State>

    /// A chain that goes on from a position.
    init(_ sink: any AuditSink, _ position: AuditTrail.Position) {
        self.sink = sink
        state = Mutex(State(position: position))
    }

    /// Adds lines to those that are to be written next.
    ///
    /// - Returns: How their writing will have ended, and whether they are the first: then the caller has to write them.
    func add(_ lines: [AuditLineDraft]) -> (written: SharedResult<Void>, isFirst: Bool) {
        state.withLock { state in
            let isFirst = state.batch == nil
            // Taken out, so that its bytes are not copied.
            var batch = state.batch.take() ?? AuditBatch(at: state.position)
            for line in lines { state.position = batch.add(line, at: state.position) }
            state.batch = batch
            return (batch.written, isFirst)
        }
    }

    /// Writes the lines that were added, and tells all who wait for it.
    ///
    /// - Throws: When they could not be written whole; the trail is then as it was before the first of them.
    func write() throws {
        // Under the lock, so that no line goes on from one that then isn't there.
        let ended = state.withLock { state -> (written: SharedResult<Void>, result: Result<Void, any Error>)? in
            guard let batch = state.batch.take() else { return nil }
            do {
                try sink.write(batch.bytes, lines: batch.count)
                return (batch.written, .success(()))
            } catch {
                state.position = batch.start
                return (batch.written, .failure(error))
            }
        }
        guard let ended else { return }
        ended.written.finish(ended.result)
        try ended.result.get()
    }

    /// Throws when the next line could not be written.
    func check() throws {
        try state.withLock { _ in try sink.check() }
    }
}
