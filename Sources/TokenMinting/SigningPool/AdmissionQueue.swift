import FleetToken
import NIOCore

/// The order in which operations wait for a slot: callers take turns, and each caller's operations start in the order in
/// which they came.
///
/// It is a state machine: its owner, ``Admission``, passes the time in, and starts or refuses what it says.
///
/// ```
/// add ──► a slot is free: start                         finish ──► the next caller's turn: start its oldest
///     └─► it would start within the maximum wait: wait
///     └─► refuse
/// ```
struct AdmissionQueue<Waiter> {
    /// The bounds of a queue.
    struct Limits {
        /// The maximum number of operations at once.
        let slots: Int
        /// The maximum number of operations of one caller at once; none by default.
        var slotsPerCaller = Int.max
        /// The maximum number that wait; a caller may use as many of these places as are free.
        var count = 10_000
        /// The maximum time that an operation may be expected to wait, in nanoseconds.
        var wait: Int64 = 500_000_000
    }

    /// What becomes of an operation that is added.
    enum Verdict {
        case starts
        case waits
        case refused(AdmissionRefusal.Cause, expectedWait: Int64)
    }

    private struct Line {
        /// The operations that wait, the oldest first; one that was removed keeps its place until its turn.
        var ids = CircularBuffer<Int64>()
        var running = 0
    }

    private let limits: Limits
    /// The lines of callers with operations that run or wait.
    private var lines: [String: Line] = [:]
    /// The callers whose operations wait, except for those that use all slots of a caller, in the order of their turns.
    private var turns = CircularBuffer<String>()
    private var waiters: [Int64: Waiter] = [:]
    /// The number of places in all lines.
    private var places = 0
    private var running = 0
    /// The mean duration of an operation, in nanoseconds.
    private(set) var duration: Int64

    /// The number of operations that wait.
    var count: Int { waiters.count }

    /// Creates an empty queue; operations are assumed to take so many nanoseconds until they are measured.
    init(_ limits: Limits, duration: Int64) {
        self.limits = limits
        self.duration = max(1, duration)
    }

    /// Adds an operation of a caller, or for nil of the service itself, which is never refused.
    mutating func add(_ id: Int64, _ waiter: Waiter, of caller: String?) -> Verdict {
        let name = caller ?? ""
        var line = lines[name] ?? Line()
        let hasSlot = line.running < limits.slotsPerCaller
        if hasSlot, running < limits.slots {
            line.running += 1
            running += 1
            lines[name] = line
            return .starts
        }
        if caller != nil, let cause = excess(line) {
            return .refused(cause, expectedWait: expectedWait(waiters.count, limits.slots))
        }
        if hasSlot, line.ids.isEmpty { turns.append(name) }
        line.ids.append(id)
        lines[name] = line
        waiters[id] = waiter
        places += 1
        return .waits
    }

    /// Removes an operation that waits, because its client has gone; nil if it does not wait.
    mutating func remove(_ id: Int64) -> Waiter? { waiters.removeValue(forKey: id) }

    /// Ends an operation, which took so many nanoseconds.
    ///
    /// - Returns: The operation that starts in its place.
    mutating func finish(_ caller: String?, after time: Int64) -> Waiter? {
        // A pause of the machine is not the duration of a signature, so one measurement changes little.
        duration = max(1, duration + (min(max(0, time), 2 * duration) - duration) / 16)
        let name = caller ?? ""
        running -= 1
        if var line = lines[name] {
            if line.running == limits.slotsPerCaller, !line.ids.isEmpty { turns.append(name) }
            line.running -= 1
            keep(line, of: name)
        }
        return next()
    }

    /// Takes the oldest operation of the caller whose turn it is.
    private mutating func next() -> Waiter? {
        while running < limits.slots, let name = turns.popFirst() {
            guard var line = lines[name] else { continue }
            let waiter = takeFirst(of: &line)
            if waiter != nil {
                line.running += 1
                running += 1
            }
            if !line.ids.isEmpty, line.running < limits.slotsPerCaller { turns.append(name) }
            keep(line, of: name)
            if let waiter { return waiter }
        }
        return nil
    }

    private mutating func takeFirst(of line: inout Line) -> Waiter? {
        while let id = line.ids.popFirst() {
            places -= 1
            if let waiter = waiters.removeValue(forKey: id) { return waiter }
        }
        return nil
    }

    private mutating func keep(_ line: Line, of name: String) {
        lines[name] = line.running == 0 && line.ids.isEmpty ? nil : line
    }

    /// Returns the bound that another operation of a line would exceed.
    ///
    /// A caller's first operation waits for one of each other caller, its second for two, and so on: callers with many
    /// operations reach the maximum wait, and others do not.
    private func excess(_ line: Line) -> AdmissionRefusal.Cause? {
        if line.ids.count >= limits.count - places { return .queueSize }
        let earlier = min(waiters.count, (line.ids.count + 1) * turns.count)
        // A caller that uses all its slots waits for its own operations.
        let wait = max(expectedWait(earlier, limits.slots), expectedWait(line.ids.count, limits.slotsPerCaller))
        return wait > limits.wait ? .queueDelay : nil
    }

    /// Returns the time in which so many operations start in some slots, in nanoseconds.
    private func expectedWait(_ count: Int, _ slots: Int) -> Int64 { Int64(count) * duration / Int64(slots) }
}
