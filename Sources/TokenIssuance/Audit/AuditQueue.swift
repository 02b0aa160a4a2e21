import ServiceSupport

/// Audit lines that wait for the writer, and the requests that wait for them: a state machine without a lock or a clock.
///
/// The writer has at most one batch. A request waits for its line until its deadline; then it fails, and a line that the
/// writer has not taken is withdrawn. While a write takes longer than the timeout, new lines are refused at once.
struct AuditQueue<Waiter: Sendable>: Sendable {
    /// A request that waits for its lines, or for a check of the sink if it has none.
    struct Entry: Sendable {
        let waiter: Waiter
        /// The number of its lines.
        let lines: Int
        /// Their size, in bytes.
        fileprivate let size: Int
        /// When it arrived, in nanoseconds.
        let arrival: Int64
        fileprivate let deadline: Int64
    }

    /// Whether lines were accepted, and whether to call the writer, possibly for other requests' lines.
    struct Admission: Sendable {
        var obstacle: AuditObstacle?
        var callsWriter = false
    }

    /// The maximum size of the waiting lines, in bytes.
    let limit: Int
    /// How long a request waits for its line, in nanoseconds.
    let timeout: Int64
    /// How long a check waits, in nanoseconds.
    ///
    /// Health probes have short timeouts. A write that takes longer is slow.
    private var checkTimeout: Int64 { min(timeout, 1_000_000_000) }

    private var lines: [AuditLineDraft] = []
    private var size = 0
    /// In the order of their lines.
    private var waiting: [Entry] = []
    /// Those whose lines the writer has taken.
    private var taken: [Entry] = []
    /// When the writer took them, in nanoseconds; nil if it has none.
    private var takenAt: Int64?
    /// Whether the writer is running or has been called.
    private var isWriting = false
    private var isGathering = false

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
        if isStalled(at: now) || !lines.isEmpty && size + newSize > limit {
            admission.obstacle = obstacle(at: now)
        } else {
            lines += new
            size += newSize
            waiting.append(
                Entry(waiter: waiter, lines: new.count, size: newSize, arrival: now, deadline: now + timeout)
            )
        }
        if !isGathering, !lines.isEmpty { admission.callsWriter = !exchange(&isWriting, with: true) }
        return admission
    }

    /// Requests a check of the sink.
    mutating func addCheck(_ waiter: Waiter, at now: Int64) -> Admission {
        guard !isSlow(at: now) else { return Admission(obstacle: .stalled) }
        waiting.append(Entry(waiter: waiter, lines: 0, size: 0, arrival: now, deadline: now + checkTimeout))
        return Admission(callsWriter: !exchange(&isWriting, with: true))
    }

    /// Gives the writer all waiting lines.
    ///
    /// - Parameters:
    ///   - batch: An empty array, which receives the lines. The queue reuses its memory.
    ///   - now: The time in nanoseconds.
    /// - Returns: Whether there is anything to do. If not, the next line calls the writer again.
    mutating func take(_ batch: inout [AuditLineDraft], at now: Int64) -> Bool {
        guard !waiting.isEmpty else {
            isWriting = false
            return false
        }
        swap(&lines, &batch)
        size = 0
        swap(&waiting, &taken)
        takenAt = now
        return true
    }

    /// Notes that the writer could not be called: the next line or check calls it again.
    mutating func missWriter() { isWriting = false }

    /// Whether the writer must check the sink.
    var isCheckDue: Bool { taken.contains { $0.lines == 0 } }

    /// Ends the writing of a batch.
    ///
    /// - Parameter entries: An empty array, which receives the requests that still wait for it.
    mutating func finish(_ entries: inout [Entry]) {
        swap(&taken, &entries)
        takenAt = nil
    }

    /// Removes requests that have waited for too long, with the lines that the writer has not taken.
    ///
    /// - Parameter now: The time in nanoseconds.
    /// - Returns: The requests, which must fail.
    mutating func expire(at now: Int64) -> [Waiter] {
        let expired = (taken + waiting).filter { $0.deadline <= now }
        guard !expired.isEmpty else { return [] }
        taken.removeAll { $0.deadline <= now }
        var rest = lines[...]
        lines = waiting.flatMap { entry in
            defer { rest = rest.dropFirst(entry.lines) }
            return entry.deadline <= now ? [] : rest.prefix(entry.lines)
        }
        waiting.removeAll { $0.deadline <= now }
        size = waiting.reduce(0) { $0 + $1.size }
        return expired.map(\.waiter)
    }

    /// Why requests that wait now would fail: the sink is blamed only if a write takes long.
    func obstacle(at now: Int64) -> AuditObstacle { isSlow(at: now) ? .stalled : .overloaded }

    /// Whether the current write takes longer than the timeout.
    func isStalled(at now: Int64) -> Bool { takenAt.map { now - $0 >= timeout } ?? false }

    private func isSlow(at now: Int64) -> Bool { takenAt.map { now - $0 >= checkTimeout } ?? false }
}

/// Why a line is not written, although no write has failed.
enum AuditObstacle: LoggableError {
    /// More lines wait than can be written in time.
    case overloaded
    /// A write takes long.
    case stalled

    package var description: String {
        switch self {
        case .overloaded: "More audit lines are waiting than can be written in time. Add replicas, or lower limits."
        case .stalled: "A write takes too long. Check the disk of audit.file, or the reader of standard output."
        }
    }
}
