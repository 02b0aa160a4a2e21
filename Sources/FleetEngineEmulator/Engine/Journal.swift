#if Emulator
import Synchronization

/// The last requests, with the rule that refused each that was.
final class Journal: Sendable {
    /// A request.
    struct Entry: Sendable {
        let number: Int
        let time: Timestamp
        let transport: Call.Transport
        /// The method; what was asked for where there is no such method.
        let method: String
        let resource: String
        /// The service account; nil where the token was refused.
        let account: String?
        /// nil for a success.
        let error: EngineError?
        /// The faults that were injected.
        let faults: [String]
    }

    private struct State {
        var entries: [Entry] = []
        /// Where the oldest entry is, once there are as many as are kept.
        var oldest = 0
        var count = 0
        var refused: [Rule: Int] = [:]
    }

    /// How many entries are kept.
    static let capacity = 10_000

    private let state = Mutex(State())

    /// Adds an entry, in place of the oldest if there are too many.
    func record(_ entry: (_ number: Int) -> Entry) {
        state.withLock { state in
            state.count += 1
            let entry = entry(state.count)
            if let rule = entry.error?.rule { state.refused[rule, default: 0] += 1 }
            if state.entries.count < Self.capacity {
                state.entries.append(entry)
            } else {
                state.entries[state.oldest] = entry
                state.oldest = (state.oldest + 1) % Self.capacity
            }
        }
    }

    /// The entries from the oldest on, how many requests there were in all, and how often each rule refused.
    var contents: (entries: [Entry], count: Int, refused: [Rule: Int]) {
        state.withLock { state in
            (
                Array(state.entries[state.oldest...] + state.entries[..<state.oldest]), state.count, state.refused
            )
        }
    }

    /// Forgets everything.
    func clear() {
        state.withLock { $0 = State() }
    }
}
#endif
