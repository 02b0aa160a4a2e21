/// Audit lines that wait for the writer, and the requests that wait for them: a state machine without a lock or a clock.
///
/// The writer takes all waiting lines at once. A request waits for its line until its deadline; then it fails, and a line that
/// the writer has not taken is withdrawn. While a write takes longer than the timeout, new lines are refused at once.
struct AuditQueue<Waiter: Sendable>: Sendable {
    /// A request that waits for its line, or for a check of the sink if it has none.
    struct Entry: Sendable {
        let waiter: Waiter
        /// The line's object.
        let line: [UInt8]?
        fileprivate let deadline: Int64

        /// The size of the line, about, in bytes.
        fileprivate var size: Int { line.map { $0.count + 128 } ?? 0 }
    }

    /// Whether a line was accepted, and whether to call the writer.
    struct Admission: Sendable {
        var error: AuditTrail.WriteError?
        var callsWriter = false
    }

    /// The maximum size of the waiting lines, in bytes.
    private let limit: Int
    /// How long a request waits for its line, in nanoseconds.
    private let timeout: Int64
    /// How long a check waits, in nanoseconds.
    ///
    /// Health probes have short timeouts. A write that takes longer is slow.
    private var checkTimeout: Int64 { min(timeout, 1_000_000_000) }

    /// The requests whose lines wait for the writer, in their order.
    private var waiting: [Entry] = []
    /// The size of their lines.
    private var size = 0
    /// The requests whose lines the writer has taken.
    private var taken: [Entry] = []
    /// When the writer took them, in nanoseconds; nil if it has none.
    private var takenAt: Int64?
    /// Whether the writer is running or has been called.
    private var isWriting = false

    /// Creates an empty queue.
    init(limit: Int, timeout: Int64) {
        self.limit = limit
        self.timeout = timeout
    }

    /// Adds a line.
    mutating func add(_ line: [UInt8], _ waiter: Waiter, at now: Int64) -> Admission {
        let entry = Entry(waiter: waiter, line: line, deadline: now + timeout)
        guard !isStalled(at: now), size == 0 || size + entry.size <= limit else {
            return Admission(error: error(at: now))
        }
        size += entry.size
        waiting.append(entry)
        return Admission(callsWriter: !exchange(&isWriting, with: true))
    }

    /// Requests a check of the sink.
    mutating func addCheck(_ waiter: Waiter, at now: Int64) -> Admission {
        guard !isSlow(at: now) else { return Admission(error: .stalled) }
        waiting.append(Entry(waiter: waiter, line: nil, deadline: now + checkTimeout))
        return Admission(callsWriter: !exchange(&isWriting, with: true))
    }

    /// Gives the writer all waiting lines.
    ///
    /// - Returns: The requests with their lines; nil if there are none, and the next one calls the writer again.
    mutating func take(at now: Int64) -> [Entry]? {
        guard !waiting.isEmpty else {
            isWriting = false
            return nil
        }
        taken = exchange(&waiting, with: [])
        size = 0
        takenAt = now
        return taken
    }

    /// Ends the write.
    ///
    /// - Returns: The requests that still wait for it.
    mutating func finish() -> [Entry] {
        takenAt = nil
        return exchange(&taken, with: [])
    }

    /// Removes requests that have waited for too long, with the lines that the writer has not taken.
    ///
    /// - Returns: The requests, which must fail.
    mutating func expire(at now: Int64) -> [Waiter] {
        let expired = (taken + waiting).filter { $0.deadline <= now }
        taken.removeAll { $0.deadline <= now }
        waiting.removeAll { $0.deadline <= now }
        size = waiting.reduce(0) { $0 + $1.size }
        return expired.map(\.waiter)
    }

    /// Why requests that wait now would fail: the sink is blamed only if a write takes long.
    func error(at now: Int64) -> AuditTrail.WriteError { isSlow(at: now) ? .stalled : .overloaded }

    /// Whether the current write takes longer than the timeout.
    func isStalled(at now: Int64) -> Bool { takenAt.map { now - $0 >= timeout } ?? false }

    private func isSlow(at now: Int64) -> Bool { takenAt.map { now - $0 >= checkTimeout } ?? false }
}
