import ServiceSupport
import Telemetry

/// Audit lines that wait for the writer, and the requests that wait for them: a state machine without a lock or a clock.
///
/// The writer has at most one batch. While a batch takes longer than the timeout, the trail is stalled: all waiting
/// requests fail, lines that the writer has not taken are withdrawn, and new lines are refused.
struct AuditQueue<Waiter: Sendable>: Sendable {
    /// Requests that wait for the same batch.
    struct Waiters: Sendable {
        fileprivate(set) var all: [Waiter] = []
        /// When the first one arrived, in nanoseconds; the maximum if there is none.
        fileprivate(set) var since = Int64.max

        fileprivate mutating func add(_ waiter: Waiter, at now: Int64) {
            all.append(waiter)
            since = min(since, now)
        }

        /// Removes all, keeping the memory.
        mutating func removeAll() {
            all.removeAll(keepingCapacity: true)
            since = .max
        }

        fileprivate func isOver(_ timeout: Int64, at now: Int64) -> Bool {
            !all.isEmpty && now - since >= timeout
        }
    }

    /// Whether lines were accepted, and whether to call the writer, possibly for other requests' lines.
    struct Admission: Sendable {
        var obstacle: AuditObstacle?
        var callsWriter = false
    }

    /// The maximum size of the waiting lines, in bytes.
    let limit: Int
    /// The maximum time to write a line, in nanoseconds.
    let timeout: Int64
    /// The maximum time of a check, in nanoseconds.
    ///
    /// Health probes have short timeouts.
    private var checkTimeout: Int64 { min(timeout, 1_000_000_000) }

    private var lines: [AuditLineDraft] = []
    private var size = 0
    private var waiting = Waiters()
    private var checks = Waiters()
    /// Requests whose lines the writer has taken.
    private var taken = Waiters()
    private var takenChecks = Waiters()
    /// Whether the writer is running or has been called.
    private var isWriting = false
    private var isGathering = false
    /// Whether a write takes longer than the timeout.
    private(set) var isStalled = false

    /// Creates an empty queue.
    init(limit: Int, timeout: Int64) {
        self.limit = limit
        self.timeout = timeout
    }

    /// Starts to gather lines for one write, unless a request already does.
    ///
    /// - Returns: Whether it starts now. The caller then adds its own line after the others.
    mutating func gather() -> Bool {
        !exchange(&isGathering, with: true)
    }

    /// Adds lines, all of them or none.
    ///
    /// - Parameters:
    ///   - new: The lines.
    ///   - waiter: The request that waits for them.
    ///   - isLast: Whether this request gathered lines.
    ///   - now: The time in nanoseconds.
    /// - Returns: Whether they were added.
    mutating func add(
        _ new: some Collection<AuditLineDraft>,
        _ waiter: Waiter,
        isLast: Bool,
        at now: Int64
    ) -> Admission {
        if isLast { isGathering = false }
        let newSize = new.reduce(0) { $0 + $1.size }
        var admission = Admission()
        if isStalled {
            admission.obstacle = .stalled
        } else if !lines.isEmpty, size + newSize > limit {
            admission.obstacle = .full
        } else {
            lines += new
            size += newSize
            waiting.add(waiter, at: now)
        }
        if !isGathering, !lines.isEmpty { admission.callsWriter = !exchange(&isWriting, with: true) }
        return admission
    }

    /// Requests a check of the sink.
    mutating func addCheck(_ waiter: Waiter, at now: Int64) -> Admission {
        guard !isStalled, !taken.isOver(checkTimeout, at: now) else { return Admission(obstacle: .stalled) }
        checks.add(waiter, at: now)
        return Admission(callsWriter: !exchange(&isWriting, with: true))
    }

    /// Gives the writer all waiting lines.
    ///
    /// - Parameters:
    ///   - batch: An empty array, which receives the lines. The queue reuses its memory.
    ///   - hasMore: Whether the writer has something to write in any case.
    /// - Returns: Whether there is anything to do. If not, the next line calls the writer again.
    mutating func take(_ batch: inout [AuditLineDraft], hasMore: Bool) -> Bool {
        guard hasMore || !waiting.all.isEmpty || !checks.all.isEmpty else {
            isWriting = false
            isStalled = false
            return false
        }
        swap(&lines, &batch)
        size = 0
        swap(&waiting, &taken)
        swap(&checks, &takenChecks)
        return true
    }

    /// Notes that the writer could not be called: the next line or check calls it again.
    mutating func missWriter() {
        isWriting = false
        isStalled = false
    }

    /// Whether the writer must check the sink.
    var isCheckDue: Bool { !takenChecks.all.isEmpty }

    /// Ends the writing of a batch.
    ///
    /// - Parameters:
    ///   - writers: Receives the requests that wait for its lines.
    ///   - checkers: Receives the requests that wait for a check.
    /// - Returns: Whether it ended in time. If not, the requests have failed already.
    mutating func finish(_ writers: inout Waiters, _ checkers: inout Waiters) -> Bool {
        swap(&taken, &writers)
        swap(&takenChecks, &checkers)
        return !exchange(&isStalled, with: false)
    }

    /// Removes requests that have waited for too long.
    ///
    /// - Parameters:
    ///   - now: The time in nanoseconds.
    ///   - expired: Receives the requests, which must fail.
    mutating func expire(at now: Int64, _ expired: inout [Waiter]) {
        if waiting.isOver(timeout, at: now) || taken.isOver(timeout, at: now) {
            isStalled = isWriting
            expired += taken.all + waiting.all
            taken.removeAll()
            waiting.removeAll()
            lines.removeAll()
            size = 0
        }
        if isStalled || checks.isOver(checkTimeout, at: now) || takenChecks.isOver(checkTimeout, at: now) {
            expired += takenChecks.all + checks.all
            takenChecks.removeAll()
            checks.removeAll()
        }
    }
}

/// Why a line is not written, although no write has failed.
enum AuditObstacle: LoggableError {
    case full
    /// A write has not finished in time.
    case stalled

    package var description: String {
        switch self {
        case .full: "The queue of audit lines is full. Check the disk of audit.file, or the reader of standard output."
        case .stalled:
            "A write has not finished within audit.timeoutSeconds. Check the disk of audit.file, or the reader of standard output."
        }
    }
}
