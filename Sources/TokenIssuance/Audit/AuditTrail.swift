import FleetToken
import Logging
import Metrics
import ServiceLifecycle
import ServiceSupport
import Synchronization
import TokenMinting

/// The record of all decisions: numbered lines of JSON.
///
/// A line is written completely before its token is released; if it cannot be written, no token is issued. Each line has the
/// instance, which is random at start, and a sequence number; an instance has a first and a last line. So a line that is
/// missing leaves a gap, or an end without its last line, also where several instances share a stream.
///
/// ```json
/// {"v":1,"instance":"9f2c51d07ab3e846","sequence":1,"time":1800000000,"event":"started"}
/// {"v":1,"instance":"9f2c51d07ab3e846","sequence":2,…,"decision":"allow",…}
/// {"v":1,"instance":"9f2c51d07ab3e846","sequence":3,"time":1800000900,"event":"stopped"}
/// ```
///
/// How it works: requests add lines to the queue and wait. One writer takes all waiting lines, numbers them and writes them
/// with one call, so that no line follows a line that does not exist.
package final class AuditTrail: Sendable {
    typealias Queue = AuditQueue<CheckedContinuation<Void, any Error>>

    private let sink: any AuditSink
    private let writing: AuditWriting
    private let instance: String
    private let queue: Mutex<Queue>
    /// The number of the next line; only the writer takes the lock, which it holds during a write.
    private let sequence = Mutex<UInt64>(1)
    /// The number of refused requests since lines cannot be written: the log has the beginning and the end of an outage.
    private let refused = Atomic(0)

    /// Creates a trail of a new instance.
    package init(
        sink: any AuditSink,
        _ writing: AuditWriting = AuditWriting(),
        instance: UInt64 = .random(in: .min ... .max)
    ) {
        self.sink = sink
        self.writing = writing
        self.instance = Hexadecimal.text((0..<8).map { UInt8(truncatingIfNeeded: instance >> (56 - 8 * $0)) })
        queue = Mutex(Queue(limit: writing.limit, timeout: Int64(writing.timeout / .nanoseconds(1))))
    }
}

// MARK: - Requests

extension AuditTrail {
    /// Records the decision on a request.
    ///
    /// - Throws: ``Refusal`` without a line of its own if the line could not be written whole and in time. No token may be
    ///   issued then.
    func record(_ line: AuditLine, logger: Logger) async throws(Refusal) {
        do {
            try await append([line])
        } catch {
            if refused.add(1, ordering: .relaxed).oldValue == 0 { log(error, to: logger) }
            let unavailable = TokenError(
                .auditUnavailable,
                "The audit trail is temporarily unavailable. Retry later.",
                // Of many callers, so that they do not return together.
                retryAfter: 2 + Int(7 * writing.clock.random())
            )
            throw Refusal(auditUnavailable: unavailable)
        }
        guard refused.load(ordering: .relaxed) > 0 else { return }
        let count = refused.exchange(0, ordering: .relaxed)
        guard count > 0 else { return }
        logger.notice("The audit trail can be written again.", metadata: ["refused": .stringConvertible(count)])
    }

    /// Logs the first failure of an outage.
    private func log(_ error: any Error, to logger: Logger) {
        let metadata: Logger.Metadata = ["error": "\(OperatorMessage(error))"]
        if case AuditObstacle.overloaded = error {
            logger.warning("The audit trail is overloaded. Requests are refused.", metadata: metadata)
        } else {
            logger.error(
                "Writing the audit trail failed. Requests are refused until it is written again.",
                metadata: metadata
            )
        }
    }

    /// Writes lines, all of them or none, together with other lines that wait.
    ///
    /// A line that is not written in time is withdrawn. If the writer has already taken it, it may be written after all: a line
    /// without a token is possible, a token without its line is not.
    ///
    /// - Throws: If they could not be written completely and in time.
    func append(_ lines: [AuditLine]) async throws {
        try await admitted { queue, waiter, now in queue.add(lines, waiter, at: now) }
    }

    /// Throws an error if the next line could not be written.
    package func check() async throws {
        try await admitted { queue, waiter, now in queue.addCheck(waiter, at: now) }
    }

    /// Waits until everything that the queue has accepted is done.
    private func admitted(
        _ admit: (inout Queue, CheckedContinuation<Void, any Error>, _ now: Int64) -> Queue.Admission
    ) async throws {
        try await withCheckedThrowingContinuation { waiter in
            let now = writing.clock.monotonic
            let admission = queue.withLock { admit(&$0, waiter, now) }
            if admission.callsWriter { writing.run { self.write() } }
            guard let obstacle = admission.obstacle else { return }
            writing.metrics?.refused.increment()
            waiter.resume(throwing: obstacle)
        }
    }
}

// MARK: - The writer

extension AuditTrail {
    /// Writes until the queue is empty.
    private func write() {
        while let entries = queue.withLock({ $0.take(at: writing.clock.monotonic) }) { write(entries) }
    }

    /// Writes the lines of requests and resumes these.
    private func write(_ entries: [Queue.Entry]) {
        let lines = entries.flatMap(\.lines)
        let written = Result { try sequence.withLock { try write(lines, from: &$0) } }
        let isWritten = (try? written.get()) != nil
        (isWritten ? writing.metrics?.written : writing.metrics?.failed)?.increment(by: lines.count)
        let checked = entries.contains { $0.lines.isEmpty } ? Result { try sink.check() } : .success(())
        // A replica that is not ready gets no requests, whose lines could fail.
        if case .failure = checked { writing.metrics?.failed.increment() }
        let now = writing.clock.monotonic
        let (waiting, wasStalled) = queue.withLock { queue in
            let wasStalled = queue.isStalled(at: now)
            return (queue.finish(), wasStalled)
        }
        // Earlier than the next call of expire().
        if wasStalled { writing.metrics?.stalled.set(0) }
        for entry in waiting { entry.waiter.resume(with: entry.lines.isEmpty ? checked : written) }
    }

    /// Numbers and writes lines, after the first line of the instance; if that fails, the numbers are free again.
    private func write(_ lines: [AuditLine], from next: inout UInt64) throws {
        let first = next == 1 ? [AuditLine(.started, at: writing.clock.now)] : []
        var (bytes, number): ([UInt8], _) = ([], next)
        for line in first + lines {
            line.append(to: &bytes, instance: instance, sequence: number)
            number += 1
        }
        guard !bytes.isEmpty else { return }
        try sink.write(bytes)
        next = number
    }
}

// MARK: - The life of an instance

extension AuditTrail: Service, CustomStringConvertible {
    /// Its name; the service group logs this instead of all properties.
    package var description: String { "AuditTrail" }

    /// Writes the first line and, at shutdown, the last one, and fails requests that wait for too long.
    package func run() async {
        // Not a child task: the last line, too, needs the bound when this task is cancelled.
        let expiration = Task {
            while !Task.isCancelled {
                expire()
                try? await writing.clock.sleep(for: .milliseconds(250))
            }
        }
        // The first line comes before whatever is written first; without a request, this check writes it.
        try? await check()
        try? await gracefulShutdown()
        try? await append([AuditLine(.stopped, at: writing.clock.now)])
        expiration.cancel()
    }

    /// Fails requests that have waited for too long.
    func expire() {
        let now = writing.clock.monotonic
        let (expired, obstacle, isStalled) = queue.withLock { queue in
            (queue.expire(at: now), queue.obstacle(at: now), queue.isStalled(at: now))
        }
        writing.metrics?.stalled.set(isStalled ? 1 : 0)
        guard !expired.isEmpty else { return }
        writing.metrics?.refused.increment(by: expired.count)
        for waiter in expired { waiter.resume(throwing: obstacle) }
    }
}
