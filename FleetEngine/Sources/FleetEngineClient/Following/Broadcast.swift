import Synchronization

/// Sends events to any number of streams.
final class Broadcast<Event: Sendable>: Sendable {
    private struct State: Sendable {
        var streams: [Int: AsyncStream<Event>.Continuation] = [:]
        var lastID = 0
        var isFinished = false
    }

    private let state = Mutex(State())

    /// Returns a stream of the events from now on; a slow reader loses the oldest of more than 256.
    func stream() -> AsyncStream<Event> {
        AsyncStream(bufferingPolicy: .bufferingNewest(256)) { continuation in
            let id = state.withLock { state -> Int? in
                guard !state.isFinished else { return nil }
                state.lastID += 1
                state.streams[state.lastID] = continuation
                return state.lastID
            }
            guard let id else { return continuation.finish() }
            continuation.onTermination = { [weak self] _ in
                _ = self?.state.withLock { $0.streams.removeValue(forKey: id) }
            }
        }
    }

    func send(_ event: Event) {
        for stream in state.withLock({ Array($0.streams.values) }) { stream.yield(event) }
    }

    /// Ends all streams.
    func finish() {
        let streams = state.withLock { state in
            state.isFinished = true
            return Array(state.streams.values)
        }
        for stream in streams { stream.finish() }
    }
}
