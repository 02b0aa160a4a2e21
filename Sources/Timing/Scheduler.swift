/// A time span in seconds, like Foundation's `TimeInterval`.
///
/// As a parameter, a negative number and not-a-number count as zero, and `.infinity` means no limit.
public typealias Seconds = Double

extension Int64 {
    /// About 36 years in nanoseconds: longer than any value is kept, and safe to add to any clock's reading.
    public static let longestSpan: Int64 = 1 << 60

    /// Creates a time span in nanoseconds, between zero and ``longestSpan``.
    @inlinable
    public init(nanosecondsIn seconds: Seconds) {
        let nanoseconds = seconds * 1e9
        // Not-a-number is not greater than zero.
        guard nanoseconds > 0 else {
            self = 0
            return
        }
        self = nanoseconds < Double(Self.longestSpan) ? Int64(nanoseconds) : Self.longestSpan
    }

    /// This many nanoseconds, in seconds.
    public var seconds: Seconds { Double(self) / 1e9 }
}

/// Runs actions later: the timeouts of fetches and callers.
public struct Scheduler: Sendable {
    /// Runs the action once, after this many seconds, unless the returned function is called first; never after `.infinity`.
    ///
    /// It must not run the action before it returns, but may do so immediately afterwards.
    public let schedule: @Sendable (Seconds, @escaping @Sendable () -> Void) -> @Sendable () -> Void

    /// Creates a scheduler from a function that returns a cancellation function.
    public init(
        _ schedule: @escaping @Sendable (Seconds, @escaping @Sendable () -> Void) -> @Sendable () -> Void
    ) {
        self.schedule = { delay, action in delay == .infinity ? { @Sendable in } : schedule(delay, action) }
    }

    /// Timeouts on the system's continuous clock, with one queue for the process.
    public static let system = {
        let deadlines = Deadlines(now: AgeClock.system.continuous)
        return Scheduler { deadlines.schedule($0, $1) }
    }()
}

/// Runs timeouts, and keeps nothing of cancelled ones.
///
/// A sleeping task can be cancelled early, but the runtime's timer behind it stays until its time, with its memory. So
/// each timeout is an entry in our own queue, and a task sleeps only for the earliest.
final class Deadlines: Sendable {
    private struct State: Sendable {
        var queue = DeadlineQueue()
        /// The wake-up times of the sleeping tasks.
        var sleepers: [Int64] = []

        /// Returns until when a new task must sleep for the earliest action; nil if none is needed.
        mutating func nextSleeper(at now: Int64) -> Int64? {
            guard let next = queue.next else { return nil }
            // A task that should have woken may be late by the whole time that the system slept: don't rely on it.
            guard !sleepers.contains(where: { $0 <= next && $0 >= now }) else { return nil }
            sleepers.append(next)
            return next
        }
    }

    private let state = Lock(State())
    private let now: @Sendable () -> Int64

    init(now: @escaping @Sendable () -> Int64) {
        self.now = now
    }

    /// The number of running timeouts, and the number for which memory is held.
    var size: (running: Int, held: Int) { state.withLock { ($0.queue.count, $0.queue.footprint) } }

    /// Runs an action after a delay in seconds.
    ///
    /// - Returns: A function that cancels it.
    func schedule(_ delay: Seconds, _ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let now = now()
        let due = now &+ Int64(nanosecondsIn: delay)
        let (id, sleeper) = state.withLock { state in
            (state.queue.add(due: due, action), state.nextSleeper(at: now))
        }
        if let sleeper { sleep(until: sleeper, from: now) }
        // The action's captures are released outside the lock: that may run foreign code.
        return { [self] in _ = state.withLock { $0.queue.remove(id) } }
    }

    private func sleep(until moment: Int64, from now: Int64) {
        Task.detached { [self] in
            // This task is never cancelled.
            try? await Task.sleep(nanoseconds: UInt64(max(0, moment &- now)))
            wake(moment)
        }
    }

    private func wake(_ moment: Int64) {
        let now = now()
        let (actions, sleeper) = state.withLock { state in
            if let index = state.sleepers.firstIndex(of: moment) { state.sleepers.remove(at: index) }
            return (state.queue.takeDue(by: now), state.nextSleeper(at: now))
        }
        if let sleeper { sleep(until: sleeper, from: now) }
        for action in actions { action() }
    }
}

/// A queue of delayed actions, the earliest first.
///
/// A removed action is released immediately: only its time and number remain, until half of the entries are such
/// leftovers.
struct DeadlineQueue: Sendable {
    typealias Action = @Sendable () -> Void

    private struct Item: Sendable {
        let due: Int64
        let id: UInt64

        static func < (one: Item, other: Item) -> Bool { (one.due, one.id) < (other.due, other.id) }
    }

    /// A binary heap; an item that isn't in `actions` was removed.
    private var heap: [Item] = []
    private var actions: [UInt64: Action] = [:]
    private var lastID: UInt64 = 0

    /// The number of queued actions.
    var count: Int { actions.count }
    /// The number of stored times, including leftovers.
    var footprint: Int { heap.count }

    mutating func add(due: Int64, _ action: @escaping Action) -> UInt64 {
        lastID += 1
        actions[lastID] = action
        heap.append(Item(due: due, id: lastID))
        siftUp()
        return lastID
    }

    /// Removes an action, unless it was already taken.
    ///
    /// - Returns: The action, so that the caller decides where it is released.
    mutating func remove(_ id: UInt64) -> Action? {
        let action = actions.removeValue(forKey: id)
        if actions.isEmpty {
            empty()
        } else if heap.count > 2 * actions.count + 64 {
            heap = heap.filter { actions[$0.id] != nil }.sorted(by: <)
        }
        return action
    }

    /// Removes and returns all actions that are due, in the order of their times.
    mutating func takeDue(by now: Int64) -> [Action] {
        var due: [Action] = []
        while let first = heap.first, first.due <= now || actions[first.id] == nil {
            if let action = actions.removeValue(forKey: first.id) { due.append(action) }
            removeFirst()
        }
        if actions.isEmpty { empty() }
        return due
    }

    /// The time of the next action.
    var next: Int64? { heap.first?.due }

    /// Frees the memory of a large queue; that of a small one is kept for reuse.
    private mutating func empty() {
        heap.removeAll(keepingCapacity: heap.capacity <= 1_024)
        actions.removeAll(keepingCapacity: actions.capacity <= 1_024)
    }

    private mutating func siftUp() {
        var child = heap.count - 1
        while child > 0, heap[child] < heap[(child - 1) / 2] {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    private mutating func removeFirst() {
        let last = heap.removeLast()
        guard !heap.isEmpty else { return }
        heap[0] = last
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child] < heap[least] {
                least = child
            }
            guard least != parent else { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
