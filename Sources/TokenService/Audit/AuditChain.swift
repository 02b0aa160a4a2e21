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

    /// Adds a line to those that are to be written next.
    ///
    /// - Returns: The lines, and whether this is the first of them: then the caller has to write them.
    func add(_ line: AuditLineDraft) -> (AuditBatch, isFirst: Bool) {
        state.withLock { state in
            let isFirst = state.batch == nil
            let batch = state.batch ?? AuditBatch(at: state.position)
            state.batch = batch
            state.position = batch.add(line, at: state.position)
            return (batch, isFirst)
        }
    }

    /// Writes lines, and tells all who wait for it.
    ///
    /// - Throws: When they could not be written whole; the trail is then as it was before the first of them.
    func write(_ batch: AuditBatch) throws {
        // Under the lock, so that no line goes on from one that then isn't there.
        let result = state.withLock { state in
            state.batch = nil
            do {
                try sink.write(batch.bytes, lines: batch.count)
                return Result<Void, any Error>.success(())
            } catch {
                state.position = batch.start
                return .failure(error)
            }
        }
        batch.written.finish(result)
        try result.get()
    }

    /// Throws when the next line could not be written.
    func check() throws {
        try state.withLock { _ in try sink.check() }
    }
}
