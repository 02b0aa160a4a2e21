import Synchronization

/// The latest requests, each with the rule that refused it, if any.
final class Journal: Sendable {
    /// A request.
    struct Entry: Sendable {
        let number: Int
        let time: Timestamp
        let transport: Call.Transport
        /// The method; what was asked for where there is no such method.
        private(set) var method: String
        private(set) var resource: String
        /// The service account; nil where the token was refused.
        let account: String?
        /// nil for a success.
        private(set) var error: EngineError?
        /// The faults that were injected.
        let faults: [String]

        /// Cuts what a request without a valid token can make long.
        fileprivate mutating func cut() {
            method = Self.cut(method)
            resource = Self.cut(resource)
            error = error.map { EngineError($0.rule, $0.code, Self.cut($0.message)) }
        }

        private static func cut(_ text: String) -> String {
            guard text.utf8.count > Journal.maximumText else { return text }
            return String(decoding: text.utf8.prefix(Journal.maximumText), as: UTF8.self)
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
    /// How long a text of an entry is at most, in bytes.
    private static let maximumText = 256

    private let state = Mutex(State())

    /// Adds an entry, in place of the oldest if there are too many.
    func record(_ entry: (_ number: Int) -> Entry) {
        state.withLock { state in
            state.count += 1
            var entry = entry(state.count)
            entry.cut()
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
