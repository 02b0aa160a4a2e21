import Timing

/// Forwards events to any number of streams.
final class Broadcast: Sendable {
    /// The number of events that a stream buffers for a slow reader; older events are dropped.
    static let bound = 256

    private struct Reader: Sendable {
        let continuation: AsyncStream<TokenProviderEvent>.Continuation
        let isWanted: @Sendable (TokenProviderEvent) -> Bool
    }

    private struct State: Sendable {
        var readers: [UInt64: Reader] = [:]
        var lastID: UInt64 = 0
        var isFinished = false
    }

    private let state = Lock(State())

    /// Returns a stream of those future events that are wanted.
    func stream(
        bound: Int = Broadcast.bound,
        where isWanted: @escaping @Sendable (TokenProviderEvent) -> Bool = { _ in true }
    ) -> AsyncStream<TokenProviderEvent> {
        AsyncStream(bufferingPolicy: .bufferingNewest(bound)) { continuation in
            let id = state.withLock { state -> UInt64? in
                guard !state.isFinished else { return nil }
                state.lastID += 1
                state.readers[state.lastID] = Reader(continuation: continuation, isWanted: isWanted)
                return state.lastID
            }
            guard let id else { return continuation.finish() }
            continuation.onTermination = { [weak self] _ in
                _ = self?.state.withLock { $0.readers.removeValue(forKey: id) }
            }
        }
    }

    /// The number of streams.
    var count: Int { state.withLock { $0.readers.count } }

    func send(_ event: TokenProviderEvent) {
        for reader in state.withLock({ Array($0.readers.values) }) where reader.isWanted(event) {
            reader.continuation.yield(event)
        }
    }

    func finish() {
        let readers = state.withLock { state in
            state.isFinished = true
            defer { state.readers = [:] }
            return Array(state.readers.values)
        }
        for reader in readers { reader.continuation.finish() }
    }
}
