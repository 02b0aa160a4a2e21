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
