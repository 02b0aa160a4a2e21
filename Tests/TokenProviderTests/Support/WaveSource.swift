import FleetToken
import Timing

@testable import ExpiringCache
@testable import TokenProvider

/// A source whose fetches end together, when the test says so.
final class WaveSource: TokenSource {
    private struct State {
        var error: @Sendable (TokenScope) -> TokenProviderError? = { _ in nil }
        var count = 0
        var held: [CheckedContinuation<Void, Never>] = []
        var watcher: (count: Int, continuation: CheckedContinuation<Void, Never>)?

        mutating func metWatcher() -> CheckedContinuation<Void, Never>? {
            guard let watcher, held.count >= watcher.count else { return nil }
            self.watcher = nil
            return watcher.continuation
        }
    }

    private let state = Lock(State())

    /// Sets what fetches that are released end with; nil for a token.
    func fail(with error: @escaping @Sendable (TokenScope) -> TokenProviderError?) {
        state.withLock { $0.error = error }
    }

    /// The number of fetches so far.
    var count: Int { state.withLock { $0.count } }

    func fetchToken(for context: TokenFetchContext) async throws -> FetchedToken {
        await withCheckedContinuation { continuation in
            let watcher = state.withLock { state in
                state.count += 1
                state.held.append(continuation)
                return state.metWatcher()
            }
            watcher?.resume()
        }
        if let error = state.withLock({ $0.error })(context.scope) { throw error }
        return FetchedToken(Secret("token"), lifetime: 3540)
    }

    /// Waits until so many fetches are held.
    func waitForHeld(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let watcher = state.withLock { state in
                state.watcher = (count, continuation)
                return state.metWatcher()
            }
            watcher?.resume()
        }
    }

    /// Lets all fetches end that are held.
    func release() {
        let held = state.withLock { state in
            defer { state.held = [] }
            return state.held
        }
        for continuation in held { continuation.resume() }
    }
}

extension CachingTokenProvider {
    /// The number of fetches that have begun and not ended.
    var runningFetches: Int { cache.core.withLock { $0.state.flights.values.count { !$0.isQueued } } }
}
