import FleetToken
package import Logging
import Metrics
import NIOCore
import NIOPosix
import ServiceLifecycle
package import ServiceSupport
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

    /// The maximum size of the waiting lines, in bytes: about 50,000 lines, more than there are connections.
    static let limit = 32 * 1024 * 1024
    /// How long a request waits for its line: longer than a disk in order needs, and no longer than a caller waits.
    package static let timeout = Duration.seconds(3)
    /// The beginning of each line, up to the instance.
    static let opening = Array(#"{"v":1,"instance":""#.utf8)

    private let sink: any AuditSink
    private let clock: ServiceClock
    private let metrics: AuditMetrics?
    /// Logs when an outage begins and ends.
    private let logger: Logger
    private let instance: String
    /// Runs the writer, never two at a time.
    private let run: @Sendable (_ writer: @escaping @Sendable () -> Void) -> Void
    private let queue: Mutex<Queue>
    /// The number of the next line; only the writer takes the lock, which it holds during a write.
    private let sequence = Mutex<UInt64>(1)
    /// The number of refused requests since lines cannot be written: the log has the beginning and the end of an outage.
    private let refused = Atomic(0)

    /// Creates a trail of a new instance, which writes on a thread of its own.
    package convenience init(
        sink: any AuditSink,
        timeout: Duration,
        clock: ServiceClock,
        metrics: AuditMetrics,
        logger: Logger
    ) {
        let thread = NIOThreadPool(numberOfThreads: 1)
        thread.start()
        self.init(sink: sink, timeout: timeout, clock: clock, metrics: metrics, logger: logger) { write in
            // After all requests that arrived with this one, so that one write has the lines of all.
            guard let eventLoop = MultiThreadedEventLoopGroup.currentEventLoop else {
                return thread.submit { _ in write() }
            }
            eventLoop.execute { thread.submit { _ in write() } }
        }
    }

    /// Creates a trail that writes where its writer is run: by default, on the thread of the request.
    init(
        sink: any AuditSink,
        timeout: Duration = AuditTrail.timeout,
        clock: ServiceClock = .system,
        metrics: AuditMetrics? = nil,
        logger: Logger = Logger(label: "fleet-token", factory: { _ in SwiftLogNoOpLogHandler() }),
        instance: UInt64 = .random(in: .min ... .max),
        run: @escaping @Sendable (_ writer: @escaping @Sendable () -> Void) -> Void = { $0() }
    ) {
        self.sink = sink
        self.clock = clock
        self.metrics = metrics
        self.logger = logger
        self.instance = Hexadecimal.text((0..<8).map { UInt8(truncatingIfNeeded: instance >> (56 - 8 * $0)) })
        self.run = run
        queue = Mutex(Queue(limit: Self.limit, timeout: Int64(timeout / .nanoseconds(1))))
    }

    /// Why a line is not written, although no write has failed.
    enum WriteError: LoggableError {
        /// More lines wait than can be written in time.
        case overloaded
        /// A write takes long.
        case stalled

        var description: String {
            switch self {
            case .overloaded: "More audit lines are waiting than can be written in time. Add replicas, or lower limits."
            case .stalled: "A write takes too long. Check the disk of audit.file, or the reader of standard output."
            }
        }
    }
}

// MARK: - Requests

extension AuditTrail {
    /// Records the decision on a request.
    ///
    /// - Throws: ``Refusal`` without a line of its own if the line could not be written whole and in time. No token may be
    ///   issued then.
    func record(_ line: [UInt8]) async throws(Refusal) {
        do {
            try await append(line)
        } catch {
            if refused.add(1, ordering: .relaxed).oldValue == 0 { logOutage(error) }
            // Of many callers, so that they do not return together.
            throw .auditUnavailable(retryAfter: 2 + Int(7 * clock.random()))
        }
        guard refused.load(ordering: .relaxed) > 0 else { return }
        let count = refused.exchange(0, ordering: .relaxed)
        guard count > 0 else { return }
        logger.notice("The audit trail can be written again.", metadata: ["refused": .stringConvertible(count)])
    }

    /// Logs the first failure of an outage.
    private func logOutage(_ error: any Error) {
        let metadata: Logger.Metadata = ["error": "\(OperatorMessage(error))"]
        if case WriteError.overloaded = error {
            logger.warning("The audit trail is overloaded. Requests are refused.", metadata: metadata)
        } else {
            logger.error(
                "Writing the audit trail failed. Requests are refused until it is written again.",
                metadata: metadata
            )
        }
    }

    /// Writes a line, together with others that wait.
    ///
    /// A line that is not written in time is withdrawn. If the writer has already taken it, it may be written after all: a line
    /// without a token is possible, a token without its line is not.
    ///
    /// - Throws: If it could not be written completely and in time.
    func append(_ line: [UInt8]) async throws {
        try await admitted { queue, waiter, now in queue.add(line, waiter, at: now) }
    }

    /// Throws an error if the next line could not be written.
    package func check() async throws {
        try await admitted { queue, waiter, now in queue.addCheck(waiter, at: now) }
    }

    /// Adds an entry to the queue, and waits until the writer has written it.
    private func admitted(
        _ admit: (inout Queue, CheckedContinuation<Void, any Error>, _ now: Int64) -> Queue.Admission
    ) async throws {
        try await withCheckedThrowingContinuation { waiter in
            let now = clock.monotonic
            let admission = queue.withLock { admit(&$0, waiter, now) }
            if admission.callsWriter { run { self.write() } }
            guard let error = admission.error else { return }
            metrics?.refused.increment()
            waiter.resume(throwing: error)
        }
    }
}

// MARK: - The writer

extension AuditTrail {
    /// Writes until the queue is empty.
    private func write() {
        while let entries = queue.withLock({ $0.take(at: clock.monotonic) }) { write(entries) }
    }

    /// Writes the lines of requests and resumes these.
    private func write(_ entries: [Queue.Entry]) {
        let lines = entries.compactMap(\.line)
        let written = Result { try sequence.withLock { try write(lines, from: &$0) } }
        switch written {
        case .success(let count): metrics?.written.increment(by: count)
        case .failure: metrics?.failed.increment(by: lines.count)
        }
        let checked = entries.contains { $0.line == nil } ? Result { try sink.check() } : .success(())
        // A replica that is not ready gets no requests, whose lines could fail.
        if case .failure = checked { metrics?.failed.increment() }
        for entry in queue.withLock({ $0.finish() }) {
            entry.waiter.resume(with: entry.line == nil ? checked : written.map { _ in })
        }
    }

    /// Numbers and writes lines, after the first line of the instance; if that fails, the numbers are free again.
    ///
    /// - Returns: How many lines were written.
    private func write(_ lines: [[UInt8]], from next: inout UInt64) throws -> Int {
        let all = (next == 1 ? [event("started")] : []) + lines
        var (bytes, number): ([UInt8], _) = ([], next)
        for line in all {
            Self.append(line, of: instance, number: number, to: &bytes)
            number += 1
        }
        guard !all.isEmpty else { return 0 }
        try sink.write(bytes)
        next = number
        return all.count
    }

    /// Appends a line: its object, with the instance and the number before its members.
    static func append(_ object: [UInt8], of instance: String, number: UInt64, to bytes: inout [UInt8]) {
        bytes += opening
        bytes += instance.utf8
        bytes += #"","sequence":"#.utf8
        bytes.append(decimal: number)
        bytes.append(UInt8(ascii: ","))
        bytes += object.dropFirst()
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Returns the object of the first or the last line, without which lines at an end could be missing unnoticed.
    private func event(_ name: String) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("time", clock.now.seconds)
            writer.member("event", name)
        }
        return writer.bytes
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
                try? await clock.sleep(for: .milliseconds(250))
            }
        }
        // The first line comes before whatever is written first; without a request, this check writes it.
        try? await check()
        try? await gracefulShutdown()
        try? await append(event("stopped"))
        expiration.cancel()
    }

    /// Fails requests that have waited for too long.
    func expire() {
        let now = clock.monotonic
        let (expired, error) = queue.withLock { ($0.expire(at: now), $0.error(at: now)) }
        guard !expired.isEmpty else { return }
        metrics?.refused.increment(by: expired.count)
        for waiter in expired { waiter.resume(throwing: error) }
    }
}
