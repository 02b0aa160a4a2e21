import ServiceSupport
import Synchronization

/// Numbers the lines of a trail, adds the SHA-256 of the previous line to each, and writes them to the sink.
///
/// Requests add lines to the queue and wait. One writer takes all lines, numbers them and writes them, so that no line
/// follows a line that does not exist.
final class AuditChain: Sendable {
    typealias Queue = AuditQueue<UnsafeContinuation<Void, any Error>>

    /// The writer's own state.
    private struct State {
        var position: AuditTrail.Position
        // Kept to reuse their memory.
        var lines: [AuditLineDraft] = []
        var bytes: [UInt8] = []
        var entries: [Queue.Entry] = []
    }

    /// How much memory is kept between writes, in bytes.
    private static let keptCapacity = 128 * 1024

    private let sink: any AuditSink
    private let writing: AuditWriting
    private let queue: Mutex<Queue>
    /// Only the writer takes this lock, which it holds during a write.
    private let state: Mutex<State>

    /// Creates a chain that continues from a position.
    init(_ sink: any AuditSink, position: AuditTrail.Position, writing: AuditWriting) {
        self.sink = sink
        self.writing = writing
        queue = Mutex(Queue(limit: writing.limit, timeout: Int64(writing.timeout / .nanoseconds(1))))
        state = Mutex(State(position: position))
    }

    /// Writes lines, all of them or none, together with other lines that arrive at the same time.
    ///
    /// - Throws: If they could not be written completely and in time.
    func append(_ lines: some Collection<AuditLineDraft> & Sendable) async throws {
        let isGathering = queue.withLock { $0.gather() }
        // Requests that have already arrived are next on this thread.
        if isGathering { await Task.yield() }
        try await admitted { queue, waiter, now in queue.add(lines, waiter, isLast: isGathering, at: now) }
    }

    /// Throws an error if the next line could not be written.
    func check() async throws {
        try await admitted { queue, waiter, now in queue.addCheck(waiter, at: now) }
    }

    /// Waits until everything that the queue has accepted is done.
    private func admitted(
        _ admit: (inout Queue, UnsafeContinuation<Void, any Error>, _ now: Int64) -> Queue.Admission
    ) async throws {
        try await withUnsafeThrowingContinuation { waiter in
            let now = writing.clock.monotonic
            let admission = queue.withLock { admit(&$0, waiter, now) }
            if admission.callsWriter, !writing.run({ self.write() }) { queue.withLock { $0.missWriter() } }
            guard let obstacle = admission.obstacle else { return }
            writing.events.refused(1)
            waiter.resume(throwing: obstacle)
        }
    }

    /// Fails requests that have waited for too long.
    func expire() {
        let now = writing.clock.monotonic
        let (expired, obstacle, isStalled) = queue.withLock { queue in
            (queue.expire(at: now), queue.obstacle(at: now), queue.isStalled(at: now))
        }
        writing.events.stalled(isStalled)
        guard !expired.isEmpty else { return }
        writing.events.refused(expired.count)
        for waiter in expired { waiter.resume(throwing: obstacle) }
    }

    /// Writes until the queue is empty.
    private func write() {
        state.withLock { state in
            while queue.withLock({ $0.take(&state.lines, at: writing.clock.monotonic) }) { writeBatch(&state) }
        }
    }

    /// Writes a batch and resumes its requests; if that fails, the trail is unchanged.
    private func writeBatch(_ state: inout State) {
        var position = state.position
        for line in state.lines { position = line.append(to: &state.bytes, at: position) }
        let written = Result {
            if !state.lines.isEmpty { try sink.write(state.bytes) }
        }
        let isWritten = (try? written.get()) != nil
        if isWritten { state.position = position }
        writing.events.wrote(state.lines.count, isWritten)
        let checked = queue.withLock({ $0.isCheckDue }) ? Result { try sink.check() } : .success(())
        let now = writing.clock.monotonic
        let wasStalled = queue.withLock { queue in
            defer { queue.finish(&state.entries) }
            return queue.isStalled(at: now)
        }
        // Earlier than the next call of expire().
        if wasStalled { writing.events.stalled(false) }
        let arrival = state.entries.lazy.filter { $0.lines > 0 }.map(\.arrival).min()
        if let arrival, isWritten {
            writing.events.written(state.lines.count, .nanoseconds(now - arrival))
        }
        for entry in state.entries { entry.waiter.resume(with: entry.lines > 0 ? written : checked) }
        state.entries.removeAll(keepingCapacity: true)
        state.lines.removeAll(keepingCapacity: true)
        state.bytes.removeAll(keepingCapacity: state.bytes.capacity <= Self.keptCapacity)
    }
}
