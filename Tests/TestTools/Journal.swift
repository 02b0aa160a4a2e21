import Synchronization

/// Entries in the order in which they came, for which a test can wait.
package final class Journal<Entry: Sendable>: Sendable {
    private let state = Mutex<[Entry]>([])

    package init() {}

    package var entries: [Entry] { state.withLock { $0 } }

    /// Appends an entry, and returns the number of entries.
    @discardableResult
    package func append(_ entry: Entry) -> Int {
        state.withLock { entries in
            entries.append(entry)
            return entries.count
        }
    }

    /// Waits for a number of entries in all.
    package func wait(for count: Int) async throws {
        try await until { entries.count >= count }
    }
}
