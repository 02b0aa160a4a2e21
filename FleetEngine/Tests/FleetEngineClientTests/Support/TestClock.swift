import Synchronization

/// A clock that moves only when a test advances it, with the pauses that go by it.
final class TestClock: Sendable {
    private struct State {
        var now = 0.0
        var lastID = 0
        var sleepers: [Int: (due: Double, continuation: CheckedContinuation<Void, any Error>)] = [:]
        var observers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
        var cancelled: Set<Int> = []
    }

    private let state = Mutex(State())

    /// The seconds that have passed.
    var elapsed: Double { state.withLock { $0.now } }
    /// How many pauses are under way.
    var timeouts: Int { state.withLock { $0.sleepers.count } }

    @Sendable
    func sleep(for seconds: Double) async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let met = state.withLock { state -> [CheckedContinuation<Void, Never>]? in
                    guard state.cancelled.remove(id) == nil else { return nil }
                    state.sleepers[id] = (state.now + seconds, continuation)
                    let count = state.sleepers.count
                    defer { state.observers.removeAll { $0.count <= count } }
                    return state.observers.filter { $0.count <= count }.map(\.continuation)
                }
                guard let met else { return continuation.resume(throwing: CancellationError()) }
                for observer in met { observer.resume() }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                let sleeper = state.sleepers.removeValue(forKey: id)
                if sleeper == nil { state.cancelled.insert(id) }
                return sleeper?.continuation
            }
            sleeper?.resume(throwing: CancellationError())
        }
    }

    /// Waits until a number of pauses are under way.
    func waitForTimeouts(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isMet = state.withLock { state in
                guard state.sleepers.count < count else { return true }
                state.observers.append((count, continuation))
                return false
            }
            if isMet { continuation.resume() }
        }
    }

    /// Advances to the pause that ends next.
    ///
    /// - Returns: The seconds that have passed.
    func advanceToNext() -> Double {
        let (passed, sleeper) = state.withLock { state -> (Double, CheckedContinuation<Void, any Error>?) in
            guard let next = state.sleepers.min(by: { ($0.value.due, $0.key) < ($1.value.due, $1.key) }) else {
                return (0, nil)
            }
            state.sleepers[next.key] = nil
            let passed = next.value.due - state.now
            state.now = next.value.due
            return (passed, next.value.continuation)
        }
        sleeper?.resume()
        return passed
    }

    /// Waits for a pause, and advances to its end.
    @discardableResult
    func next() async -> Double {
        await waitForTimeouts()
        return advanceToNext()
    }
}
