/// Actions that wait for their time, the earliest first.
///
/// What is removed is gone at once: only its time and number stay, until half of all are such leftovers.
struct DeadlineQueue: Sendable {
    typealias Action = @Sendable () -> Void

    private struct Item: Sendable {
        let due: Int64
        let id: UInt64

        static func < (one: Item, other: Item) -> Bool { (one.due, one.id) < (other.due, other.id) }
    }

    /// A binary heap; what isn't in `actions` was removed.
    private var heap: [Item] = []
    private var actions: [UInt64: Action] = [:]
    private var lastID: UInt64 = 0

    /// How many actions wait.
    var count: Int { actions.count }
    /// How many times are kept, leftovers included.
    var footprint: Int { heap.count }

    mutating func add(due: Int64, _ action: @escaping Action) -> UInt64 {
        lastID += 1
        actions[lastID] = action
        heap.append(Item(due: due, id: lastID))
        siftUp()
        return lastID
    }

    /// Removes an action, unless it was taken already.
    ///
    /// - Returns: The action, so that it is freed where the caller wants that to happen.
    mutating func remove(_ id: UInt64) -> Action? {
        let action = actions.removeValue(forKey: id)
        if actions.isEmpty {
            empty()
        } else if heap.count > 2 * actions.count + 64 {
            heap = heap.filter { actions[$0.id] != nil }.sorted(by: <)
        }
        return action
    }

    /// Takes out all that are due by now, in the order of their times.
    mutating func takeDue(by now: Int64) -> [Action] {
        var due: [Action] = []
        while let first = heap.first, first.due <= now || actions[first.id] == nil {
            if let action = actions.removeValue(forKey: first.id) { due.append(action) }
            removeFirst()
        }
        if actions.isEmpty { empty() }
        return due
    }

    /// When the next action is due.
    var next: Int64? { heap.first?.due }

    /// Gives back the memory of a crowd that is gone; that of a few is kept for the next few.
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
