import Timing

@testable import ExpiringCache

/// What completions were called with.
final class Answers<Value: Sendable>: Sendable {
    private struct State: Sendable {
        var results: [Result<Value, any Error>] = []
        var watcher: (count: Int, continuation: CheckedContinuation<Void, Never>)?
    }

    private let state = Lock(State())

    var note: @Sendable (Result<Value, any Error>) -> Void {
        { result in
            let watcher = self.state.withLock {
                state -> (count: Int, continuation: CheckedContinuation<Void, Never>)? in
                state.results.append(result)
                guard let watcher = state.watcher, state.results.count >= watcher.count else { return nil }
                return state.watcher.take()
            }
            watcher?.continuation.resume()
        }
    }

    var count: Int { state.withLock { $0.results.count } }

    /// Waits for so many, and returns them and what else there is.
    func wait(for count: Int) async -> [Result<Value, any Error>] {
        await withCheckedContinuation { continuation in
            let isMet = state.withLock { state in
                guard state.results.count < count else { return true }
                state.watcher = (count, continuation)
                return false
            }
            if isMet { continuation.resume() }
        }
        return state.withLock { $0.results }
    }
}

extension Result where Failure == any Error {
    var cacheError: CacheError? {
        guard case .failure(let error) = self else { return nil }
        return error as? CacheError
    }
}
