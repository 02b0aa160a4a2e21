import Synchronization

/// Entries in the order in which they came, for which a test can wait.
package final class Journal<Entry: Sendable>: Sendable {
    private struct State: Sendable {
        var entries: [Entry] = []
        var waiters: [(isMet: @Sendable ([Entry]) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    package init() {}

    package var entries: [Entry] { state.withLock { $0.entries } }

    /// Appends an entry, and returns the number of entries.
    @discardableResult
    package func append(_ entry: Entry) -> Int {
        let (count, met) = state.withLock { state in
            state.entries.append(entry)
            let entries = state.entries
            let met = state.waiters.filter { $0.isMet(entries) }
            if !met.isEmpty { state.waiters.removeAll { $0.isMet(entries) } }
            return (entries.count, met)
        }
        for waiter in met { waiter.continuation.resume() }
        return count
    }

    package func wait(until isMet: @escaping @Sendable ([Entry]) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isMetAlready = state.withLock { state in
                guard !isMet(state.entries) else { return true }
                state.waiters.append((isMet, continuation))
                return false
            }
            if isMetAlready { continuation.resume() }
        }
    }

    /// Waits for a number of entries, all told.
    package func wait(for count: Int) async { await wait { $0.count >= count } }
}
