import FleetToken
package import JOSE
import Logging
import ServiceSupport
import StrictCoding
import Synchronization
import TokenMinting

/// The record of all decisions: numbered lines of JSON, each with the SHA-256 of the one before.
///
/// A line is written completely before its token is released; if it cannot be written, no token is issued. The chain
/// detects changed, removed and reordered lines. It cannot detect lines missing at the beginning or the end, a change
/// of the last line, or a complete forgery by a user with write access to the file: ship the lines to another system
/// for that. Copies continue the same chain.
///
/// ## How it works
///
/// Requests add lines to the queue and wait. One writer takes all lines, numbers them and writes them, so that no line
/// follows a line that does not exist.
///
/// ```
/// request ──► AuditQueue (32 MiB) ──► one thread numbers, chains and writes all waiting lines ──► requests resume
/// ```
///
/// ```json
/// {"sequence":7,…,"decision":"allow",…,"previous":"9f2c…"}
/// {"sequence":8,…,"decision":"deny",…,"previous":"41ab…"}   ← previous is the SHA-256 of line 7
/// ```
package struct AuditTrail: Sendable {
    typealias Queue = AuditQueue<UnsafeContinuation<Void, any Error>>

    /// The writer's own state.
    private struct State {
        var position: Position
        // Kept to reuse their memory.
        var lines: [AuditLineDraft] = []
        var bytes: [UInt8] = []
        var entries: [Queue.Entry] = []
    }

    /// What all copies share.
    private final class Shared: Sendable {
        let queue: Mutex<Queue>
        /// Only the writer takes this lock, which it holds during a write.
        let state: Mutex<State>
        /// The number of refused requests since lines cannot be written: the log has the beginning and the end of an outage.
        let refused = Atomic(0)

        init(_ queue: consuming Queue, position: Position) {
            self.queue = Mutex(queue)
            state = Mutex(State(position: position))
        }
    }

    /// How much memory is kept between writes, in bytes.
    private static let keptCapacity = 128 * 1024

    /// The form of IDs; the chain is independent of it.
    package var ids: AuditIDs
    private let sink: any AuditSink
    private let writing: AuditWriting
    private let shared: Shared

    /// Creates a trail that continues after the sink's last line.
    ///
    /// - Throws: ``ConfigurationError`` if the sink cannot be written to, or its last line is not an audit line.
    package init(sink: any AuditSink, ids: AuditIDs, _ writing: AuditWriting = AuditWriting()) throws {
        self.ids = ids
        self.sink = sink
        self.writing = writing
        shared = Shared(
            Queue(limit: writing.limit, timeout: Int64(writing.timeout / .nanoseconds(1))),
            position: try sink.lastLine().map(Position.init(after:)) ?? .start
        )
        // From zero, so that `rate()` sees the first failure.
        for result in AuditResultLabel.allCases { count(0, result) }
    }

    private func count(_ lines: Int, _ result: AuditResultLabel) {
        writing.metrics?.writes[writing.label, result].increment(by: lines)
    }
}

// MARK: - Requests

extension AuditTrail {
    /// Records the decision on a request.
    ///
    /// - Throws: ``Refusal`` without a line of its own if the line could not be written whole and in time. No token may be
    ///   issued then.
    func record(_ line: AuditLineDraft, of requestID: RequestID, logger: Logger) async throws {
        do {
            try await append(CollectionOfOne(line))
        } catch {
            if shared.refused.add(1, ordering: .relaxed).oldValue == 0 { log(error, at: requestID, to: logger) }
            let unavailable = TokenError(
                .auditUnavailable,
                "The audit trail is temporarily unavailable. Retry later.",
                // Of many callers, so that they do not return together.
                retryAfter: .random(in: 2...8)
            )
            throw Refusal(unavailable, .auditUnavailable)
        }
        guard shared.refused.load(ordering: .relaxed) > 0 else { return }
        let refused = shared.refused.exchange(0, ordering: .relaxed)
        guard refused > 0 else { return }
        logger.notice("The audit trail can be written again.", metadata: ["refused": .stringConvertible(refused)])
    }

    /// Logs the first failure of an outage.
    ///
    /// Inlined, the log's metadata would be in the task's memory of each request: 1,088 bytes in place of 112.
    @inline(never)
    private func log(_ error: any Error, at requestID: RequestID, to logger: Logger) {
        var metadata: Logger.Metadata = ["error": "\(OperatorMessage(error))"]
        metadata[.requestID] = "\(requestID)"
        if case AuditObstacle.overloaded = error {
            logger.warning("The audit trail is overloaded. Requests are refused.", metadata: metadata)
        } else {
            logger.error(
                "Writing the audit trail failed. Requests are refused until it is written again.",
                metadata: metadata
            )
        }
    }

    /// Writes lines, all of them or none, together with other lines that arrive at the same time.
    ///
    /// A line that is not written in time is withdrawn. If the writer has already taken it, it may be written after all: a line
    /// without a token is possible, a token without its line is not.
    ///
    /// - Throws: If they could not be written completely and in time.
    func append(_ lines: some Collection<AuditLineDraft> & Sendable) async throws {
        let isGathering = shared.queue.withLock { $0.gather() }
        // Requests that have already arrived are next on this thread.
        if isGathering { await Task.yield() }
        try await admitted { queue, waiter, now in queue.add(lines, waiter, isLast: isGathering, at: now) }
    }

    /// Throws an error if the next line could not be written.
    package func check() async throws {
        try await admitted { queue, waiter, now in queue.addCheck(waiter, at: now) }
    }

    /// Waits until everything that the queue has accepted is done.
    private func admitted(
        _ admit: (inout Queue, UnsafeContinuation<Void, any Error>, _ now: Int64) -> Queue.Admission
    ) async throws {
        try await withUnsafeThrowingContinuation { waiter in
            let now = writing.clock.monotonic
            let admission = shared.queue.withLock { admit(&$0, waiter, now) }
            if admission.callsWriter, !writing.run({ self.write() }) { shared.queue.withLock { $0.missWriter() } }
            guard let obstacle = admission.obstacle else { return }
            count(1, .refused)
            waiter.resume(throwing: obstacle)
        }
    }

    /// Fails requests that have waited for too long.
    package func expire() {
        let now = writing.clock.monotonic
        let (expired, obstacle, isStalled) = shared.queue.withLock { queue in
            (queue.expire(at: now), queue.obstacle(at: now), queue.isStalled(at: now))
        }
        writing.metrics?.stalled.set(isStalled ? 1 : 0)
        guard !expired.isEmpty else { return }
        count(expired.count, .refused)
        for waiter in expired { waiter.resume(throwing: obstacle) }
    }
}

// MARK: - The writer

extension AuditTrail {
    /// Writes until the queue is empty.
    private func write() {
        shared.state.withLock { state in
            while shared.queue.withLock({ $0.take(&state.lines, at: writing.clock.monotonic) }) { writeBatch(&state) }
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
        count(state.lines.count, isWritten ? .written : .failed)
        let checked = shared.queue.withLock({ $0.isCheckDue }) ? Result { try sink.check() } : .success(())
        let now = writing.clock.monotonic
        let wasStalled = shared.queue.withLock { queue in
            defer { queue.finish(&state.entries) }
            return queue.isStalled(at: now)
        }
        // Earlier than the next call of expire().
        if wasStalled { writing.metrics?.stalled.set(0) }
        let arrival = state.entries.lazy.filter { $0.lines > 0 }.map(\.arrival).min()
        if let arrival, isWritten {
            writing.metrics?.batchLines.record(Int64(state.lines.count))
            writing.metrics?.wait.record(.nanoseconds(now - arrival))
        }
        for entry in state.entries { entry.waiter.resume(with: entry.lines > 0 ? written : checked) }
        state.entries.removeAll(keepingCapacity: true)
        state.lines.removeAll(keepingCapacity: true)
        state.bytes.removeAll(keepingCapacity: state.bytes.capacity <= Self.keptCapacity)
    }
}

// MARK: - Positions

extension AuditTrail {
    static let notATrail =
        "The last line of the audit file is not an audit line. Use a new file, or move this one away."

    package struct Position: Sendable, Hashable {
        /// The number of the next line.
        package var sequence: UInt64
        /// The SHA-256 of the last line; nil before the first.
        package let previous: SHA256Digest?

        /// Creates a position.
        package init(sequence: UInt64, previous: SHA256Digest?) {
            self.sequence = sequence
            self.previous = previous
        }

        fileprivate init(after line: [UInt8]) throws {
            guard let sequence = AuditLine(line)?.sequence else { throw ConfigurationError(notATrail) }
            self.init(sequence: sequence + 1, previous: SHA256Digest(of: line))
        }

        /// Before the first line.
        package static let start = Position(sequence: 1, previous: nil)

        /// The SHA-256 of the last line as the next line has it: in hexadecimal digits, zeros before the first.
        package var previousText: String {
            var digits: [UInt8] = []
            appendPrevious(to: &digits)
            return String(decoding: digits, as: UTF8.self)
        }

        /// Appends ``previousText`` as ASCII.
        func appendPrevious(to text: inout [UInt8]) {
            if let previous {
                previous.withUnsafeBytes { Hexadecimal.append($0, to: &text) }
            } else {
                text.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: 2 * SHA256Digest.byteCount))
            }
        }
    }
}
