import ExpiringCache

/// Passes events on to any number of streams.
final class Broadcast: Sendable {
    /// How many events a stream keeps for a reader that is slow; older ones are dropped.
    static let bound = 256

    private struct State: Sendable {
        var readers: [UInt64: AsyncStream<TokenProviderEvent>.Continuation] = [:]
        var lastID: UInt64 = 0
        var isFinished = false
    }

    private let state = Lock(State())

    /// A stream of the events from now on.
    func stream() -> AsyncStream<TokenProviderEvent> {
        AsyncStream(bufferingPolicy: .bufferingNewest(Self.bound)) { continuation in
            let id = state.withLock { state -> UInt64? in
                guard !state.isFinished else { return nil }
                state.lastID += 1
                state.readers[state.lastID] = continuation
                return state.lastID
            }
            guard let id else { return continuation.finish() }
            continuation.onTermination = { [weak self] _ in
                _ = self?.state.withLock { $0.readers.removeValue(forKey: id) }
            }
        }
    }

    /// How many streams there are.
    var count: Int { state.withLock { $0.readers.count } }

    func send(_ event: TokenProviderEvent) {
        for reader in state.withLock({ Array($0.readers.values) }) { reader.yield(event) }
    }

    func finish() {
        let readers = state.withLock { state in
            state.isFinished = true
            defer { state.readers = [:] }
            return Array(state.readers.values)
        }
        for reader in readers { reader.finish() }
    }
}
