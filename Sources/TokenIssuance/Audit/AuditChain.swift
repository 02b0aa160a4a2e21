import ServiceSupport
import Synchronization

/// Numbers the lines of a trail, adds the SHA-256 of the previous line to each, and writes them to the sink.
///
/// Requests add lines to the queue and wait. One writer takes all lines, numbers them and writes them, so that no line
/// follows a line that does not exist.
final class AuditChain: Sendable {
    typealias Waiter = UnsafeContinuation<Void, any Error>

    /// The writer's own state.
    private struct State {
        var position: AuditTrail.Position
        /// Lines that were written, and whose requests had failed by then.
        var late: LateAuditLines?
        // Kept to reuse their memory.
        var lines: [AuditLineDraft] = []
        var bytes: [UInt8] = []
        var writers = AuditQueue<Waiter>.Waiters()
        var checkers = AuditQueue<Waiter>.Waiters()
    }

    /// How much memory is kept between writes, in bytes.
    private static let keptCapacity = 128 * 1024

    private let sink: any AuditSink
    private let writing: AuditWriting
    private let queue: Mutex<AuditQueue<Waiter>>
    /// Only the writer takes this lock, which it holds during a write.
    private let state: Mutex<State>
    private let isSyncing = Atomic(false)

    /// Creates a chain that continues from a position.
    init(_ sink: any AuditSink, position: AuditTrail.Position, writing: AuditWriting) {
        self.sink = sink
        self.writing = writing
        queue = Mutex(AuditQueue(limit: writing.limit, timeout: Int64(writing.timeout / .nanoseconds(1))))
        state = Mutex(State(position: position))
    }

    /// Writes lines, all of them or none, together with other lines that arrive at the same time.
    ///
    /// - Throws: If they could not be written completely and in time.
    func append(_ lines: some Collection<AuditLineDraft> & Sendable) async throws {
        let isGathering = queue.withLock { $0.gather() }
        // Requests that have already arrived are next on this thread.
        if isGathering { await Task.yield() }
        try await admitted { waiter in
            queue.withLock { $0.add(lines, waiter, isLast: isGathering, at: writing.clock.monotonic) }
        }
    }

    /// Throws an error if the next line could not be written.
    func check() async throws {
        try await admitted { waiter in
            queue.withLock { $0.addCheck(waiter, at: writing.clock.monotonic) }
        }
    }

    /// Waits until everything that the queue has accepted is done.
    private func admitted(_ admit: (Waiter) -> AuditQueue<Waiter>.Admission) async throws {
        try await withUnsafeThrowingContinuation { waiter in
            let admission = admit(waiter)
            if admission.callsWriter, !writing.run({ self.write() }) { queue.withLock { $0.missWriter() } }
            guard let obstacle = admission.obstacle else { return }
            writing.events.refused(1)
            waiter.resume(throwing: obstacle)
        }
    }

    /// Fails requests that have waited for too long.
    func expire() {
        var expired: [Waiter] = []
        let isStalled = queue.withLock { queue in
            queue.expire(at: writing.clock.monotonic, &expired)
            return queue.isStalled
        }
        // Each time, because a stall can end without a batch.
        writing.events.stalled(isStalled)
        guard !expired.isEmpty else { return }
        writing.events.refused(expired.count)
        for waiter in expired { waiter.resume(throwing: AuditObstacle.stalled) }
    }

    /// Makes the sink's lines durable, without waiting.
    func sync() {
        guard !isSyncing.exchange(true, ordering: .relaxed) else { return }
        _ = writing.run {
            self.state.withLock { _ in self.sink.sync() }
            self.isSyncing.store(false, ordering: .relaxed)
        }
    }

    /// Writes until the queue is empty.
    private func write() {
        state.withLock { state in
            var isWritten = true
            while queue.withLock({ $0.take(&state.lines, hasMore: isWritten && state.late != nil) }) {
                isWritten = writeBatch(&state)
            }
        }
    }

    /// Writes a batch and resumes its requests.
    ///
    /// - Returns: Whether it was written. If not, the trail is unchanged.
    private func writeBatch(_ state: inout State) -> Bool {
        var position = state.position
        if let late = state.late {
            position = late.line(at: writing.clock.now).append(to: &state.bytes, at: position)
        }
        let first = position.sequence
        for line in state.lines { position = line.append(to: &state.bytes, at: position) }
        let count = Int(position.sequence - state.position.sequence)
        let result = Result { if count > 0 { try sink.write(state.bytes, lines: count) } }
        let checked = queue.withLock({ $0.isCheckDue }) ? Result { try sink.check() } : .success(())
        let isInTime = queue.withLock { $0.finish(&state.writers, &state.checkers) }
        let isWritten = (try? result.get()) != nil
        if isWritten {
            state.position = position
            state.late = isInTime || state.lines.isEmpty ? nil : LateAuditLines(first..<position.sequence)
        }
        if !isInTime {
            writing.events.stalled(false)
        } else if isWritten, !state.lines.isEmpty {
            writing.events.written(state.lines.count, writing.clock.duration(since: state.writers.since))
        }
        for waiter in state.writers.all { waiter.resume(with: result) }
        for waiter in state.checkers.all { waiter.resume(with: checked) }
        state.writers.removeAll()
        state.checkers.removeAll()
        state.lines.removeAll(keepingCapacity: true)
        state.bytes.removeAll(keepingCapacity: state.bytes.capacity <= Self.keptCapacity)
        return isWritten
    }
}
