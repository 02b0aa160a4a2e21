import TokenProvider

/// Tasks that wait until a number is reached; those that were cancelled remain until then.
struct CountWaiters: Sendable {
    private var waiters: [(count: Int, promise: Promise<Void>)] = []

    /// Adds a task that waits for a number.
    mutating func add(_ count: Int) -> Promise<Void> {
        let promise = Promise<Void>()
        waiters.append((count, promise))
        return promise
    }

    /// Removes and returns those whose number is reached, to be resolved outside the lock.
    mutating func take(upTo count: Int) -> [Promise<Void>] {
        let met = waiters.filter { $0.count <= count }.map(\.promise)
        waiters.removeAll { $0.count <= count }
        return met
    }
}
