import NIOCore

/// The order in which operations wait for a slot: callers take turns, and each caller's operations start in the order in
/// which they came.
///
/// A state machine without clock or lock: ``FairGate`` owns it, and carries out its decisions.
///
/// ```
/// add ──► a slot is free: start                         finish ──► the next caller's turn: start its oldest
///     └─► it would start within the maximum wait: wait
///     └─► refuse
/// ```
struct CallerQueue {
    /// What becomes of an operation that is added.
    enum Verdict {
        case starts
        case waits
        case refused(expectedWait: Duration)
    }

    private struct Line {
        /// The operations that wait, the oldest first.
        var ids = CircularBuffer<Int64>()
        var running = 0
    }

    /// No operation is faster: a mean of zero would never grow again.
    private static let minimumDuration = Duration.microseconds(1)

    /// The maximum time that an operation may be expected to wait.
    private static let maximumWait = Duration.milliseconds(500)

    private let slots: Int
    private let slotsPerCaller: Int
    private let maximumWaiting: Int
    /// The lines of callers with operations that run or wait.
    private var lines: [String: Line] = [:]
    /// The callers whose operations wait, except for those that use all slots of a caller, in the order of their turns.
    private var callerOrder = CircularBuffer<String>()
    /// The number of operations that wait.
    private(set) var queuedCount = 0
    private var running = 0
    /// The mean duration of an operation.
    private(set) var duration: Duration

    /// Creates an empty queue.
    ///
    /// - Parameters:
    ///   - slots: The maximum number of operations at once.
    ///   - slotsPerCaller: The maximum number of one caller's operations at once.
    ///   - maximumWaiting: The maximum number that wait; a caller may have as many waiting as the queue has free places.
    ///   - duration: The assumed duration of an operation until it is measured.
    init(slots: Int, slotsPerCaller: Int = .max, maximumWaiting: Int = 10_000, duration: Duration) {
        self.slots = slots
        self.slotsPerCaller = slotsPerCaller
        self.maximumWaiting = maximumWaiting
        self.duration = max(Self.minimumDuration, duration)
    }

    /// Adds an operation of a caller, or for nil of the service itself, which is never refused.
    mutating func add(_ id: Int64, of caller: String?) -> Verdict {
        let name = caller ?? ""
        let (ownRunning, ownQueued) = lines[name].map { ($0.running, $0.ids.count) } ?? (0, 0)
        let hasSlot = ownRunning < slotsPerCaller
        if hasSlot, running < slots {
            lines[name, default: Line()].running += 1
            running += 1
            return .starts
        }
        if caller != nil, !mayWait(queued: ownQueued) {
            return .refused(expectedWait: expectedWait(queuedCount, slots))
        }
        if hasSlot, ownQueued == 0 { callerOrder.append(name) }
        lines[name, default: Line()].ids.append(id)
        queuedCount += 1
        return .waits
    }

    /// Removes an operation whose client has gone, if it waits.
    mutating func remove(_ id: Int64, of caller: String?) {
        let name = caller ?? ""
        guard let index = lines[name]?.ids.firstIndex(of: id) else { return }
        lines[name]?.ids.remove(at: index)
        queuedCount -= 1
        if lines[name]?.ids.isEmpty ?? true { callerOrder.removeAll { $0 == name } }
        removeIfEmpty(name)
    }

    /// Ends an operation.
    ///
    /// - Returns: The operation that starts in its place.
    mutating func finish(_ caller: String?, after time: Duration, succeeded: Bool = true) -> Int64? {
        measure(time, succeeded)
        let name = caller ?? ""
        running -= 1
        if let line = lines[name] {
            if line.running == slotsPerCaller, !line.ids.isEmpty { callerOrder.append(name) }
            lines[name]?.running -= 1
            removeIfEmpty(name)
        }
        return next()
    }

    private mutating func measure(_ time: Duration, _ succeeded: Bool) {
        // A quick failure does not say how long an operation takes; a slow one occupies its slot like a success, so it counts.
        guard succeeded || time > duration else { return }
        // A pause of the machine is not the duration of a signature, so one measurement changes little.
        let change = (min(max(.zero, time), duration * 2) - duration) / 16
        duration = max(Self.minimumDuration, duration + change)
    }

    /// Takes the oldest operation of the caller whose turn it is.
    private mutating func next() -> Int64? {
        guard running < slots, let name = callerOrder.popFirst() else { return nil }
        let id = lines[name]?.ids.popFirst()
        lines[name]?.running += 1
        running += 1
        queuedCount -= 1
        if let line = lines[name], !line.ids.isEmpty, line.running < slotsPerCaller { callerOrder.append(name) }
        return id
    }

    private mutating func removeIfEmpty(_ name: String) {
        if let line = lines[name], line.running == 0, line.ids.isEmpty { lines[name] = nil }
    }

    /// Returns whether another operation of a caller may wait, of which so many do.
    ///
    /// A caller's first operation waits for one of each other caller, its second for two, and so on: callers with many
    /// operations reach the maximum wait, and others do not.
    private func mayWait(queued: Int) -> Bool {
        guard queued < maximumWaiting - queuedCount else { return false }
        let earlier = min(queuedCount, (queued + 1) * callerOrder.count)
        // A caller that uses all its slots waits for its own operations.
        let wait = max(expectedWait(earlier, slots), expectedWait(queued, slotsPerCaller))
        return wait <= Self.maximumWait
    }

    /// Returns the time in which so many operations start in some slots.
    private func expectedWait(_ count: Int, _ slots: Int) -> Duration { duration * count / slots }
}
