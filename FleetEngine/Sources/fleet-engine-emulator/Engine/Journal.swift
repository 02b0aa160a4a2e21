import SwiftProtobuf
import Synchronization

/// The latest requests, each with the rule that refused it, if any.
final class Journal: Sendable {
    /// A request.
    struct Entry: Sendable {
        fileprivate(set) var number = 0
        fileprivate(set) var time = Timestamp()
        let transport: Call.Transport
        /// The method; what was requested where there is no such method.
        let method: String
        let resource: String
        /// The service account; nil where the token was refused.
        var account: String?
        /// nil for a success.
        var error: EngineError?
        /// The faults that were injected.
        var faults: [String] = []

        /// Creates an entry, with the beginning of what a request without a valid token can make long.
        init(transport: Call.Transport, method: String, resource: String = "") {
            self.transport = transport
            self.method = method.beginning
            self.resource = resource.beginning
        }
    }

    private struct State {
        var entries: [Entry] = []
        /// The index of the oldest entry when the journal is full.
        var oldest = 0
        var count = 0
        var refused: [Rule: Int] = [:]
    }

    /// How many entries are kept.
    static let capacity = 10_000

    private let state = Mutex(State())

    /// Adds an entry, in place of the oldest if there are too many.
    func record(_ entry: Entry, at time: Timestamp) {
        state.withLock { state in
            state.count += 1
            var entry = entry
            (entry.number, entry.time) = (state.count, time)
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
